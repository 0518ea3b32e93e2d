import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { forgetSplit } from "../../jobs/canary.ts";
import { inTransaction } from "../../core/transaction.ts";

/** Says which share of the accounts a canary worker takes, in hundredths of a percent. Answers the earlier share. */
export async function setCanaryShare(
  context: Context,
  { share, reason }: { share: number; reason: string },
): Promise<number> {
  const before = await inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
    const { canaryShare } = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
    if (canaryShare === share) return canaryShare;
    await tx.systemState.update({ where: { id: 1 }, data: { canaryShare: share } });
    await recordAudit(tx, {
      at: context.now(),
      eventType: "CANARY_SHARE_SET",
      actor: context.actor,
      requestId: context.request.id,
      data: { from: canaryShare, to: share, reason },
    });
    return canaryShare;
  });
  forgetSplit(context.db);
  return before;
}
