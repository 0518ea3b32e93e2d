import { DEFAULT_PREFERENCES } from "@/lib/domain/preferences.ts";
import { KILL_STATE_TEXT } from "@/lib/domain/kill-state-text.ts";
import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../db.ts";
import { isFlagOn } from "../flags/read-flags.ts";

export const SWITCHED_OFF = "Automation is switched off for everyone: nothing is bought, exits and stops keep working.";

/**
 * What still keeps an account from trading, in one sentence; null for nothing. For who has just lifted one hold: another may be in
 * force, and what prevents more is named first.
 */
export async function holdOfAccount(
  context: Pick<Context, "db">,
  accountId: string,
  db: Db | Tx = context.db,
): Promise<string | null> {
  const account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    select: {
      ...{ status: true, environment: true, haltedAt: true, closingAt: true, killState: true, killSource: true },
      user: {
        select: {
          automationPausedAt: true,
          killState: true,
          tradingPreferences: { select: { paperTradingOnly: true } },
        },
      },
    },
  });
  const { user, killState } = account;
  const system = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  const isPaperOnly = user.tradingPreferences?.paperTradingOnly ?? DEFAULT_PREFERENCES.paperTradingOnly;
  if (account.haltedAt !== null)
    return "The account is halted: it trades again once the halt is resolved and it is resumed.";
  if (account.status === "INACTIVE") return "Nothing is traded in the account until you confirm it.";
  if (account.closingAt !== null) return "The account is being closed: its positions are sold, then it is deleted.";
  if (account.environment === "LIVE" && isPaperOnly) return "Nothing is traded in it while Paper Trading Only is on.";
  if (system.killState !== "NONE") return `An administrator stopped all accounts. ${KILL_STATE_TEXT[system.killState]}`;
  if (user.killState !== "NONE") return `An administrator stopped your accounts. ${KILL_STATE_TEXT[user.killState]}`;
  if (killState !== "NONE")
    return `${account.killSource === "ADMIN" ? "An administrator stopped the account." : "The account is stopped."} ${KILL_STATE_TEXT[killState]}`;
  if (user.automationPausedAt !== null)
    return "Automation is paused: nothing is bought until you resume it, exits and stops keep working.";
  if (account.status === "PAUSED")
    return "The account is paused: nothing is bought in it, exits and stops keep working.";
  if (!system.isQueueActive)
    return "The job queue is paused by an administrator: nothing is decided until it runs again.";
  return (await isFlagOn(context, "automation_enabled")) ? null : SWITCHED_OFF;
}
