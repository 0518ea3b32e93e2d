import type { Given } from "@/lib/contracts/endpoint.ts";
import type { policyApi } from "@/lib/contracts/policy.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../../core/active-policy.ts";

/** The policy in force as the next cycle reads it, and since when. */
export async function readActivePolicy(context: Context): Promise<Given<typeof policyApi.read>> {
  const policy = await activePolicy(context);
  const row = await context.db.policyVersion.findUnique({ where: { version: policy.version } });
  return { ...policy, updated_at: row?.activatedAt ?? row?.createdAt ?? context.now() };
}
