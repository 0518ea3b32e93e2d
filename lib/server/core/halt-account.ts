import type { Context } from "../context.ts";
import type { Tx } from "../db.ts";
import { haltNewsKey } from "./people.ts";
import { recordEvent } from "./record-event.ts";

/** No new orders for the account until a person resumes. The first reason stays. */
export async function haltAccount(context: Context, tx: Tx, accountId: string, reason: string): Promise<void> {
  const at = context.now();
  const halted = await tx.account.updateMany({
    // One that was deleted sends nothing, and its owner no longer uses it.
    where: { id: accountId, haltedAt: null, deletedAt: null },
    data: { haltedAt: at, haltReason: reason.slice(0, 500) },
  });
  if (halted.count === 0) return;
  context.log.error("account.halted", { accountId, reason });
  const { userId } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { userId: true } });
  const key = `${haltNewsKey(accountId)}${at.toISOString()}`;
  await recordEvent(context, tx, {
    level: "error",
    message: `The account is halted until a person resumes it: ${reason}`,
    userId,
    accountId,
    alerts: [
      { to: { userId }, key, subject: "Your account is halted", isUrgent: true },
      { to: "administrators", key: `${key}:admin`, subject: "An account is halted", isUrgent: true },
    ],
    at,
    audit: { eventType: "ACCOUNT_HALTED", data: { accountId, reason } },
  });
}
