import type { Account, Intent } from "./row-types.ts";
import type { Db, Tx } from "../../db.ts";

/** What can stop an order between the decision and the call, whoever threw the switch. */
export interface Switches {
  account: Pick<
    Account,
    "status" | "deletedAt" | "haltedAt" | "sealedKeys" | "environment" | "writerEpoch" | "killState"
  >;
  systemKillState: Account["killState"];
  isAutomationPaused: boolean;
  isPaperOnly: boolean;
}

export async function readSwitches(db: Db | Tx, accountId: string): Promise<Switches> {
  const account = await db.account.findUniqueOrThrow({
    where: { id: accountId },
    include: { user: { include: { tradingPreferences: true } } },
  });
  const system = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  return {
    account,
    systemKillState: system.killState,
    isAutomationPaused: account.user.automationPausedAt !== null,
    isPaperOnly: account.user.tradingPreferences?.paperTradingOnly ?? true,
  };
}

/**
 * Why the order may not be sent now; null when it may. Buying is what adds exposure, so kill states and
 * the person's pause stop it; exits always pass them. A live account is never traded while the person
 * wants paper only, except to flatten it.
 */
export function refusalToSend(
  { account, systemKillState, isAutomationPaused, isPaperOnly }: Switches,
  { side, purpose }: Pick<Intent, "side" | "purpose">,
  epoch: number,
): string | null {
  if (account.deletedAt !== null) return "the account was deleted";
  if (account.writerEpoch !== epoch) return "another writer took over the account";
  if (account.sealedKeys === null) return "the account has no keys";
  if (account.haltedAt !== null) return "the account is halted";
  if (account.status !== "ACTIVE") return `the account is ${account.status.toLowerCase()}`;
  if (account.environment === "LIVE" && isPaperOnly && purpose !== "FLATTEN") return "live trading is switched off";
  if (side === "SELL") return null;
  if (systemKillState !== "NONE") return `kill switch of the system: ${systemKillState}`;
  if (account.killState !== "NONE") return `kill switch of the account: ${account.killState}`;
  if (isAutomationPaused) return "automation is paused";
  return null;
}
