import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import type { Removal } from "../../audit/erasure-list.ts";
import type { Context } from "../../context.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Account } from "../../core/row-types.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { KEYS_KEPT_DAYS } from "../accounts/follow-removed.ts";
import { hasNothingToSell } from "../accounts/has-nothing-to-sell.ts";

/**
 * Ends again the accounts that a restored database brought back after they were removed: nothing is bought or sold for them any more. Brokers are
 * not asked: entries were cancelled and stops placed when the account was removed. Where the copy holds shares or open orders of ours the keys
 * stay sealed, for reading alone, so that what became of them is booked (follow-removed.ts). Answers how many it were; may be repeated.
 */
export async function replayRemovals(context: Context, removals: readonly Removal[]): Promise<number> {
  const removedAt = new Map(removals.map(({ accountId, at }) => [accountId, at]));
  const accounts = await context.db.account.findMany({
    where: { id: { in: [...removedAt.keys()] }, deletedAt: null },
    orderBy: { id: "asc" },
  });
  for (const account of accounts) await endAgain(context, account, removedAt.get(account.id) ?? context.now());
  return accounts.length;
}

async function endAgain(
  context: Context,
  { id, userId, broker, environment, access, sealedKeys }: Account,
  at: Date,
): Promise<void> {
  const areKeysKept = sealedKeys !== null && !(await hasNothingToSell(context, id));
  const { isErased, kept } = ACCESS_TEXT[access];
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, id);
    await tx.account.update({
      where: { id },
      data: {
        deletedAt: at,
        status: "INACTIVE",
        keyPrefix: null,
        accountNumberEnd: null,
        writerEpoch: { increment: 1 },
        ...(areKeysKept ? {} : { sealedKeys: null }),
      },
    });
    await recordEvent(context, tx, {
      level: "warn",
      message: `Tradewind was restored from a backup that is older than the deletion of this account. The account stays deleted: ${areKeysKept ? kept(KEYS_KEPT_DAYS) : `${isErased}, its history stays.`}`,
      userId,
      accountId: id,
      audit: {
        eventType: "ACCOUNT_REMOVED",
        data: {
          ...{ accountId: id, broker, environment, access, areKeysKept },
          ...{ wasBrokerAsked: false, isReplayed: true, removedAt: at.toISOString() },
        },
      },
    });
  });
}
