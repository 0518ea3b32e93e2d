import { setTimeout as delay } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { isConflict, type Tx } from "../../db.ts";
import type { Account } from "./row-types.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { mailAlert } from "../automation/mail-alert.ts";
import { noteEvents } from "../logs/note-event.ts";

const MOST_ATTEMPTS = 5;

/** One transaction, run again as a whole when the database asks for it. Never holds a call to a broker. */
export async function inTransaction<T>(context: Pick<Context, "db">, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await context.db.$transaction(work, { timeout: 15_000, maxWait: 10_000 });
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS || !isConflict(error)) throw error;
      await delay(25 * attempt);
    }
  }
}

/**
 * The account's row, locked: whatever changes an account's intents, orders, fills or halt begins here, so
 * that two writers take turns. Rows that merely refer to the account are not held up.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<Account> {
  await tx.$queryRaw`select 1 from "Account" where "id" = ${accountId}::uuid for no key update`;
  return tx.account.findUniqueOrThrow({ where: { id: accountId } });
}

/** No new orders for the account until a person resumes. The first reason stays. */
export async function haltAccount(context: Context, tx: Tx, accountId: string, reason: string): Promise<void> {
  const halted = await tx.account.updateMany({
    // One that was deleted sends nothing, and its owner has let go of it.
    where: { id: accountId, haltedAt: null, deletedAt: null },
    data: { haltedAt: context.now(), haltReason: reason.slice(0, 500) },
  });
  if (halted.count === 0) return;
  context.log.error("account.halted", { accountId, reason });
  const { userId } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { userId: true } });
  const message = `The account is halted until a person resumes it: ${reason}`;
  await noteEvents(tx, [{ level: "error", message, userId, accountId, marketAt: null }]);
  const key = `halted:${accountId}:${context.now().toISOString()}`;
  const paragraphs = [message];
  await mailAlert(tx, { userId }, { key, subject: "Your account is halted", paragraphs, accountId });
  await mailAlert(tx, "administrators", {
    key: `${key}:admin`,
    subject: "An account is halted",
    paragraphs,
    accountId,
  });
  await recordAudit(tx, {
    at: context.now(),
    eventType: "ACCOUNT_HALTED",
    actor: context.actor,
    subjectUserId: userId,
    requestId: context.request.id,
    data: { accountId, reason },
  });
}
