import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { activePolicy } from "../policy/active-policy.ts";
import { noteFinished } from "../schedule/run-due.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { withAccountWriter } from "./account-writer.ts";
import { recoverAccount } from "./recover-account.ts";
import { reconcileAccount } from "./reconcile-account.ts";
import { settleUnknowns } from "./settle-unknowns.ts";

/** Follows one account: unknowns are asked for, then its books are held against the broker's. */
export async function syncOrders(context: Context, input: { accountId: string }): Promise<void> {
  const { accountId } = input;
  const key = scheduleKey("order-status", accountId);
  try {
    await withAccountWriter(context, accountId, async () => {
      const account = await context.db.account.findUnique({
        where: { id: accountId },
        select: { sealedKeys: true, deletedAt: true, reconciledAt: true },
      });
      if (!account || account.deletedAt || account.sealedKeys === null) return;
      // An account that was never recovered is recovered first: there is no other way in.
      if (account.reconciledAt === null) return void (await recoverAccount(context, accountId));
      const { orders_execution } = await activePolicy(context);
      await settleUnknowns(context, accountId, { settleWindowMs: orders_execution.settle_window_seconds * 1000 });
      await reconcileAccount(context, accountId);
    });
    await noteFinished(context, key);
  } catch (error) {
    await noteFinished(context, key, error);
    // A broker that is away comes back; the next round asks again.
    if (error instanceof Failure && error.code === "broker_unavailable") {
      context.log.warn({ accountId, err: error }, "the broker is away: orders are followed later");
      return;
    }
    throw error;
  }
}
