import { ACCESS_TEXT, OTHER_ACCOUNT } from "@/lib/domain/account-access.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { doKeysOpen } from "../../secrets/seal.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";
import { holdOfAccount } from "./hold-of-account.ts";

/** Halts that end with an answer to what opens the account. */
const LIFTED = [
  ...Object.values(ACCESS_TEXT).flatMap(({ refused, unopenable }) => [refused, unopenable]),
  OTHER_ACCOUNT,
];

/** Stopped because of what opens it: the stop ends when the broker lets it in again. */
export const isHaltedByKeys = ({ haltReason }: Pick<Account, "haltReason">): boolean =>
  LIFTED.some((reason) => reason === haltReason);

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
 * account resumes by itself when the broker takes its keys again (`resumeAcceptedKeys`).
 */
export async function haltForRefusedKeys(context: Context, accountId: string): Promise<void> {
  await haltFor(context, accountId, ({ access }) => ACCESS_TEXT[access].refused);
}

/** The same for keys that do not open; they may open again when the master key is back. True when they do not open. */
export async function haltForUnopenableKeys(context: Context, accountId: string): Promise<boolean> {
  const account = await context.db.account.findFirst({ where: { id: accountId, deletedAt: null } });
  if (!account || !areKeysUnopenable(account)) return false;
  await haltFor(context, accountId, ({ access }) => ACCESS_TEXT[access].unopenable);
  return true;
}

/**
 * Granted access may be turned to another account at Alpaca, keys may not: before anything of it is read or booked it is
 * asked whose it is. Throws `conflict` and stops the account where it opens another one.
 */
export async function refuseOtherAccount(context: Context, account: Account, broker: Broker): Promise<void> {
  if (account.access === "KEYS" || (await broker.account()).id === account.brokerAccountId) return;
  await haltFor(context, account.id, () => OTHER_ACCOUNT);
  throw new Failure("conflict", OTHER_ACCOUNT);
}

async function haltFor(context: Context, accountId: string, reasonOf: (account: Account) => string): Promise<void> {
  await inTransaction(context, async (tx) => {
    const account = await lockAccount(tx, accountId);
    await haltAccount(context, tx, accountId, reasonOf(account));
  });
}

/** The broker answered to the keys of an account that was stopped because of them: the stop is lifted. The caller holds its lock. */
export async function resumeAcceptedKeys(context: Context, tx: Tx, account: Account): Promise<void> {
  const { id: accountId, userId, access } = account;
  if (!isHaltedByKeys(account)) return;
  const lifted = await tx.account.updateMany({
    where: { id: accountId, haltReason: { in: LIFTED } },
    data: { haltedAt: null, haltReason: null },
  });
  if (lifted.count === 0) return;
  const heldBy = await holdOfAccount(context, accountId, tx);
  const message = [ACCESS_TEXT[access].accepted, heldBy].filter((part) => part !== null).join(" ");
  context.log.info("account-keys.accepted", { accountId });
  await recordEvent(context, tx, {
    level: "info",
    message,
    userId,
    accountId,
    audit: { eventType: "ACCOUNT_KEYS_ACCEPTED", data: { accountId, access } },
  });
}
