import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { areKeysUnopenable, isRefusal } from "../sync/key-halts.ts";
import { reconcileAccount } from "../sync/reconcile-account.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { eraseKeptKeys } from "./erase-keys.ts";
import { hasNothingToSell } from "./has-nothing-to-sell.ts";

/** What rests at the broker is no hurry of ours. Wall time. */
const READ_EVERY_MS = MINUTE_MS;
/** Keys of a removed account are not kept for longer, whatever is held. Wall time. */
export const KEYS_KEPT_DAYS = 90;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Reads a deleted account that still holds shares, so that the fills of its resting stops are booked, and erases
 * its keys once it is flat. Sends nothing and cancels nothing. The caller is the account's single writer.
 */
export async function followRemoved(context: Context, account: Account): Promise<void> {
  const { id, deletedAt, reconciledAt } = account;
  const now = context.now().getTime();
  if (deletedAt === null || account.sealedKeys === null) return;
  if (now - deletedAt.getTime() > KEYS_KEPT_DAYS * DAY_MS)
    return erase(context, id, `kept for ${KEYS_KEPT_DAYS} days.`);
  if (areKeysUnopenable(account)) return erase(context, id, "no longer readable.");
  if (reconciledAt !== null && now - reconciledAt.getTime() < READ_EVERY_MS) return;
  try {
    const { differences } = await reconcileAccount(context, id);
    if (differences.length > 0 || !(await hasNothingToSell(context, id))) return;
  } catch (error) {
    if (!(error instanceof Failure) || !isRefusal(error)) throw error;
    return erase(context, id, "no longer accepted by the broker.");
  }
  await erase(context, id, "its last shares are sold.");
}

async function erase(context: Context, id: string, reason: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, id);
    await eraseKeptKeys(context, tx, { id }, reason);
  });
  context.log.info("account-keys.erased", { accountId: id, reason });
}
