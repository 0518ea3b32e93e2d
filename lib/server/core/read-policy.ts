import { checkPolicy, type Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../context.ts";

/** Reads stored policy versions, each once. Throws on a version that is not stored or does not check. */
export function policyReader({ db }: Pick<Context, "db">): (version: string) => Promise<Policy> {
  const known = new Map<string, Policy>();
  return async (version) => {
    const found = known.get(version);
    if (found) return found;
    const row = await db.policyVersion.findUnique({ where: { version } });
    if (!row) throw new Error(`policy ${version} is not stored`);
    const checked = checkPolicy(row.content);
    if (!checked.ok) throw new Error(`policy ${version} does not check: ${JSON.stringify(checked.issues)}`);
    known.set(version, checked.policy);
    return checked.policy;
  };
}
