import { isWithinLast } from "@/lib/domain/wall-clock.ts";
import type { Context } from "../../context.ts";
import type { Account } from "../../core/row-types.ts";
import { finishClosing } from "./finish-closing.ts";
import { followRemoved } from "./follow-removed.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { withAccountWriter } from "../../core/account-writer.ts";
import { cancelStaleEntries } from "../orders/cancel-stale-entries.ts";
import { haltForUnopenableKeys, isHaltedByKeys, isRefusal, haltForRefusedKeys } from "../sync/key-halts.ts";
import { protectPositions } from "../orders/protect-positions.ts";
import { CHECK_AGAIN_AFTER_MS, wasReadWhole } from "../sync/check-books.ts";
import { recoverAccount } from "../sync/recover-account.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import { resolveUnknownOrders } from "../sync/resolve-unknown-orders.ts";

/** On the practice market an account that gets its own turn is read at once; elsewhere the broker's limit is kept to. Wall time. */
const READ_AGAIN_AFTER_MS = { PRACTICE: 0, US: CHECK_AGAIN_AFTER_MS };

/** Follows one account: unknowns are asked for, then its books are held against the broker's. */
export async function syncOrders(context: Context, { accountId }: { accountId: string }): Promise<void> {
  let wasHaltedByKeys = false;
  await withAccountWriter(context, accountId, (epoch, account) => {
    wasHaltedByKeys = isHaltedByKeys(account);
    return follow(context, account, epoch);
  }).catch(async (error: unknown) => {
    // Whatever was asked first: refused keys and keys that do not open stop this account, visibly, and no other.
    const isByKeys = isRefusal(error) || (await haltForUnopenableKeys(context, accountId));
    if (isRefusal(error)) await haltForRefusedKeys(context, accountId);
    // One person's keys are no fault of the work: it is told once, and counted as failed once.
    if (!isByKeys || !wasHaltedByKeys) throw error;
    context.log.info("account-keys.refused-again", { accountId });
  });
}

async function follow(context: Context, account: Account, epoch: number): Promise<void> {
  try {
    await readBooks(context, account);
  } finally {
    // Unread books are no reason to leave shares bare: the quantity that the broker has free bounds what is sent.
    await protect(context, account.id, epoch);
  }
}

async function protect(context: Context, accountId: string, epoch: number): Promise<void> {
  try {
    await protectPositions(context, accountId, epoch);
  } catch (error) {
    context.log.error("protection.failed", { accountId, err: error });
  }
}

async function readBooks(context: Context, account: Account): Promise<void> {
  const { id: accountId } = account;
  if (account.sealedKeys === null) return;
  if (account.deletedAt !== null) return followRemoved(context, account);
  // An account that was never recovered is recovered first: there is no other way in.
  if (account.reconciledAt === null) return void (await recoverAccount(context, accountId));
  const policy = await activePolicy(context);
  const settleWindowMs = policy.orders_execution.settle_window_seconds * 1000;
  await resolveUnknownOrders(context, accountId, { settleWindowMs });
  await cancelStaleEntries(context, account, policy);
  const now = context.now();
  const isRead = isWithinLast(READ_AGAIN_AFTER_MS[account.market], account.reconciledAt, now);
  if (isRead && wasReadWhole(account, now)) return;
  const { differences } = await reconcileAccount(context, accountId, { account });
  if (differences.length === 0 && account.closingAt !== null) await finishClosing(context, accountId);
}
