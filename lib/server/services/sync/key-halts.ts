import { Failure } from "@/lib/domain/failures.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { doKeysOpen } from "../../secrets/seal.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

/** The halt's reason where an order met refused keys (record-outcome.ts), where a reading did, and where the stream did. */
export const KEYS_REFUSED = "The broker refused the keys of this account.";

/** Changed, moved here from another row, or sealed under a master key that this installation does not have. */
export const KEYS_UNOPENABLE = "The stored keys of this account cannot be opened.";

export const isRefusal = (error: unknown): boolean => error instanceof Failure && error.code === "broker_refused";

/** The stream was not let in: a plain reading says whether the keys are to blame. True when they are. */
export async function checkKeys(context: Context, account: Account, broker: Broker): Promise<boolean> {
  try {
    await broker.account();
    return false;
  } catch (error) {
    if (!isRefusal(error)) return false;
    await haltForRefusedKeys(context, account.id);
    return true;
  }
}

/** True when the account has keys and they open nothing. */
export function areKeysUnopenable({ id, userId, environment, sealedKeys }: KeyRow): boolean {
  return sealedKeys !== null && !doKeysOpen(sealedKeys, { userId, accountId: id, environment });
}

type KeyRow = Pick<Account, "id" | "userId" | "environment" | "sealedKeys">;

/**
 * Stops this account alone, visibly; its user gets one mail for each time that it happens (`haltAccount`). The
 * account goes on by itself when the broker takes its keys again (`resumeAcceptedKeys`).
 */
export async function haltForRefusedKeys(context: Context, accountId: string): Promise<void> {
  await haltFor(context, accountId, KEYS_REFUSED);
}

/** The same for keys that do not open; they may open again when the master key is back. True when they do not open. */
export async function haltForUnopenableKeys(context: Context, accountId: string): Promise<boolean> {
  const account = await context.db.account.findFirst({ where: { id: accountId, deletedAt: null } });
  if (!account || !areKeysUnopenable(account)) return false;
  await haltFor(context, accountId, KEYS_UNOPENABLE);
  return true;
}

async function haltFor(context: Context, accountId: string, reason: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    await haltAccount(context, tx, accountId, reason);
  });
}

/** The broker answered to the keys of an account that was stopped because of them: the stop is lifted. */
export async function resumeAcceptedKeys(context: Context, tx: Tx, account: Account): Promise<void> {
  const { id: accountId, userId } = account;
  const lifted = await tx.account.updateMany({
    where: { id: accountId, haltReason: { in: [KEYS_REFUSED, KEYS_UNOPENABLE] } },
    data: { haltedAt: null, haltReason: null },
  });
  if (lifted.count === 0) return;
  const message = "The broker accepts the keys of the account again: it goes on.";
  context.log.info("account-keys.accepted", { accountId });
  await recordEvent(context, tx, {
    level: "info",
    message,
    userId,
    accountId,
    audit: { eventType: "ACCOUNT_KEYS_ACCEPTED", data: { accountId } },
  });
}
