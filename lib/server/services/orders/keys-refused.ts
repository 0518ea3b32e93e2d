import { Failure } from "@/lib/domain/failures.ts";
import type { Account } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { noteEvents } from "../logs/note-event.ts";
import { haltAccount, inTransaction, lockAccount } from "./transaction.ts";

/** The halt's reason where an order met refused keys (record-outcome.ts), where a reading did, and where the stream did. */
export const KEYS_REFUSED = "The broker refused the keys of this account.";

export const isRefusal = (error: unknown): boolean => error instanceof Failure && error.code === "broker_refused";

/** The stream was not let in: a plain reading says whether the keys are to blame. True when they are. */
export async function checkKeys(context: Context, account: Account, broker: Broker): Promise<boolean> {
  try {
    await broker.account();
    return false;
  } catch (error) {
    if (!isRefusal(error)) return false;
    await refuseKeys(context, account.id);
    return true;
  }
}

/**
 * Stops this account alone, visibly; its user gets one mail for each time that it happens (`haltAccount`). The
 * account goes on by itself when the broker takes its keys again (`acceptKeys`).
 */
export async function refuseKeys(context: Context, accountId: string): Promise<void> {
  await inTransaction(context, async (tx) => {
    await lockAccount(tx, accountId);
    await haltAccount(context, tx, accountId, KEYS_REFUSED);
  });
}

/** The broker answered to the keys of an account that was stopped because of them: the stop is lifted. */
export async function acceptKeys(context: Context, tx: Tx, account: Account): Promise<void> {
  const { id: accountId, userId } = account;
  const lifted = await tx.account.updateMany({
    where: { id: accountId, haltReason: KEYS_REFUSED },
    data: { haltedAt: null, haltReason: null },
  });
  if (lifted.count === 0) return;
  const message = "The broker accepts the keys of the account again: it goes on.";
  context.log.info({ accountId }, "the broker accepts the keys again");
  await noteEvents(tx, [{ level: "info", message, userId, accountId, marketAt: null }]);
  await recordAudit(tx, {
    at: context.now(),
    eventType: "ACCOUNT_KEYS_ACCEPTED",
    actor: context.actor,
    subjectUserId: userId,
    requestId: context.request.id,
    data: { accountId },
  });
}
