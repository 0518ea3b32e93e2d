import { Failure } from "@/lib/domain/failures.ts";
import { checkPolicy, type Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../../context.ts";

/** The policy that was active when a run was asked for; versions are never overwritten. */
export async function policyOf(db: Context["db"], version: string): Promise<Policy> {
  const row = await db.policyVersion.findUnique({ where: { version } });
  const checked = checkPolicy(row?.content);
  if (checked.ok) return checked.policy;
  throw new Failure("conflict", `Policy ${version}, which this backtest was started with, can no longer be read.`);
}
