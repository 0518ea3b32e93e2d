import { refusalOfBuild } from "@/lib/domain/protocol/mark.ts";
import type { Account, Intent } from "./row-types.ts";
import type { Db, Tx } from "../../db.ts";

/** What can stop an order between the decision and the call, whoever threw the switch. */
export interface Switches {
  account: Pick<
    Account,
    "status" | "deletedAt" | "haltedAt" | "sealedKeys" | "environment" | "writerEpoch" | "killState"
  >;
  systemKillState: Account["killState"];
  /** The newest order protocol that ever wrote orders here. */
  newestProtocol: number;
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
    newestProtocol: system.orderProtocol,
    isAutomationPaused: account.user.automationPausedAt !== null,
    isPaperOnly: account.user.tradingPreferences?.paperTradingOnly ?? true,
  };
}

/**
 * True when a kill state stops such an order. NO_NEW_ENTRIES stops what opens positions; from REDUCE_ONLY on
 * whatever adds exposure stops, purchases of a rotation too. Sales and protective orders pass every state.
 */
function isStoppedBy(killState: Account["killState"], { side, purpose }: Pick<Intent, "side" | "purpose">): boolean {
  switch (killState) {
    case "NONE":
      return false;
    case "NO_NEW_ENTRIES":
      return purpose === "ENTRY";
    case "REDUCE_ONLY":
    case "FLATTEN":
      return side === "BUY" || purpose === "ENTRY";
  }
}

const wordOf = (state: string) => state.toLowerCase().replaceAll("_", " ");

/**
 * Why the order may not be sent now; null when it may. Kill states stop what they name, the person's pause, of
 * everything or of one account, stops every purchase; exits pass both. A live account is never traded while the person wants paper only,
 * except to flatten it. `isProtective`: a stop for shares that nothing covers, or their sale where the price is
 * through the stop: only an account that is gone, has no keys or another writer stops it.
 */
export function refusalToSend(
  { account, systemKillState, newestProtocol, isAutomationPaused, isPaperOnly }: Switches,
  { side, purpose }: Pick<Intent, "side" | "purpose">,
  epoch: number,
  isProtective = false,
): string | null {
  const fence = refusalOfBuild(newestProtocol);
  if (fence !== null) return fence;
  if (account.deletedAt !== null) return "the account was deleted";
  if (account.writerEpoch !== epoch) return "another writer took over the account";
  if (account.sealedKeys === null) return "the account has no keys";
  if (isProtective && side === "SELL" && (purpose === "PROTECT" || purpose === "EXIT")) return null;
  if (account.haltedAt !== null) return "the account is halted";
  if (account.status === "INACTIVE") return "the account is inactive";
  const isFlattening = purpose === "FLATTEN" && side === "SELL";
  if (account.environment === "LIVE" && isPaperOnly && !isFlattening) return "live trading is switched off";
  if (isStoppedBy(systemKillState, { side, purpose })) return `kill switch of the system: ${wordOf(systemKillState)}`;
  if (isStoppedBy(account.killState, { side, purpose }))
    return `kill switch of the account: ${wordOf(account.killState)}`;
  if (account.status === "PAUSED" && isStoppedBy("REDUCE_ONLY", { side, purpose })) return "the account is paused";
  if (isAutomationPaused && side === "BUY") return "automation is paused";
  return null;
}
