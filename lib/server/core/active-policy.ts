import { checkPolicy, POLICY_2_9_0, type Policy } from "@/lib/domain/policy.ts";
import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import { asJson } from "./json.ts";

type Store = Pick<Context, "now"> & { db: Context["db"] | Tx };

/** The active policy. The first one is version 2.9.0, stored when the product first starts. */
export async function activePolicy(context: Store): Promise<Policy> {
  const row = await context.db.policyVersion.findFirst({ where: { status: "ACTIVE" } });
  if (!row) {
    await storeFirstPolicy(context);
    return POLICY_2_9_0;
  }
  const checked = checkPolicy(row.content);
  // Corrupt steering is worse than none: nothing is decided under a policy that does not check.
  if (!checked.ok) throw new Error(`policy ${row.version} does not check: ${JSON.stringify(checked.issues)}`);
  return checked.policy;
}

/** Stores version 2.9.0 where no policy is in force. */
export async function storeFirstPolicy({ db, now }: Store): Promise<void> {
  if ((await db.policyVersion.count({ where: { status: "ACTIVE" } })) > 0) return;
  await db.policyVersion.createMany({
    data: [
      {
        version: POLICY_2_9_0.version,
        status: "ACTIVE",
        content: asJson(POLICY_2_9_0),
        note: "The first policy",
        activatedAt: now(),
      },
    ],
    skipDuplicates: true,
  });
}
