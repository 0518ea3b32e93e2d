import { strictestKillState } from "@/lib/domain/kill-strictness.ts";
import { refusalOfBuild } from "@/lib/domain/protocol/mark.ts";
import type { Account, Intent } from "../../core/row-types.ts";
import type { Db, Tx } from "../../db.ts";
import { flagIsOn } from "../flags/read-flags.ts";

/** What can stop an order between the decision and the call, at any level of the switches. */
export interface Switches {
  account: Pick<
    Account,
    "status" | "deletedAt" | "haltedAt" | "sealedKeys" | "environment" | "writerEpoch" | "killState"
  >;
  systemKillState: Account["killState"];
  /** Of all accounts of its owner. */
  userKillState: Account["killState"];
  /** An administrator stopped purchases of the order's symbol in every account of its market. */
  isSymbolStopped: boolean;
  /** The newest order protocol that ever wrote orders here, or in this account. */
  newestProtocol: number;
  isAutomationPaused: boolean;
  /** For everyone, by the flag automation_enabled. */
  isSwitchedOff: boolean;
  /** The person may no longer sign in: nothing is bought for them. */
  isUserDisabled: boolean;
  isPaperOnly: boolean;
}

/** As they stand now, in one statement. `symbol`: of the order in question; null where it is no purchase. */
export async function readSwitches(db: Db | Tx, accountId: string, symbol: string | null): Promise<Switches> {
  const [row] = await db.$queryRaw<(Omit<Switches, "account"> & Switches["account"])[]>`
    select a."status", a."deletedAt", a."haltedAt", a."sealedKeys", a."environment", a."writerEpoch", a."killState",
      s."killState" as "systemKillState", u."killState" as "userKillState",
      exists (select 1 from "SymbolStop" where "market" = a."market" and "symbol" = ${symbol}) as "isSymbolStopped",
      greatest(s."orderProtocol", a."orderProtocol") as "newestProtocol",
      u."automationPausedAt" is not null as "isAutomationPaused", not ${flagIsOn("automation_enabled")} as "isSwitchedOff",
      u."disabledAt" is not null as "isUserDisabled",
      coalesce(p."paperTradingOnly", true) as "isPaperOnly"
    from "Account" a join "User" u on u."id" = a."userId" join "SystemState" s on s."id" = 1
    left join "TradingPreferences" p on p."userId" = u."id"
    where a."id" = ${accountId}::uuid`;
  if (row === undefined) throw new Error(`there is no account ${accountId} to send for`);
  const { status, deletedAt, haltedAt, sealedKeys, environment, writerEpoch, killState, ...others } = row;
  return { account: { status, deletedAt, haltedAt, sealedKeys, environment, writerEpoch, killState }, ...others };
}

/**
 * True when a kill state stops such an order. NO_NEW_ENTRIES stops entries, those of a rotation too; from REDUCE_ONLY on
 * whatever adds exposure stops. Sales and protective orders pass every state.
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

const killStateText = (state: string) => state.toLowerCase().replaceAll("_", " ");

/**
 * Why the order may not be sent now; null when it may. Kill states stop what they name, the person's pause, of
 * everything or of one account, stops every purchase; exits pass both. What is sold because everything is to be sold is not sent once that
 * was taken back. A live account is never traded while the person wants paper only,
 * except to flatten it, or where its owner sells by hand. `isProtective`: a stop for shares that nothing covers, or their sale where the price is
 * through the stop: only an account that is gone, has no keys or another writer stops it.
 */
export function refusalToSend(
  switches: Switches,
  { side, purpose }: Pick<Intent, "side" | "purpose">,
  epoch: number,
  isProtective = false,
): string | null {
  const { account, newestProtocol, isPaperOnly } = switches;
  const fence = refusalOfBuild(newestProtocol);
  if (fence !== null) return fence;
  if (account.deletedAt !== null) return "the account was deleted";
  if (account.writerEpoch !== epoch) return "another writer took over the account";
  if (account.sealedKeys === null) return "the account has no keys";
  if (isProtective && side === "SELL" && (purpose === "PROTECT" || purpose === "EXIT")) return null;
  if (account.haltedAt !== null) return "the account is halted";
  if (account.status === "INACTIVE") return "the account is inactive";
  const isOnTheWayOut = (purpose === "FLATTEN" || purpose === "MANUAL") && side === "SELL";
  if (account.environment === "LIVE" && isPaperOnly && !isOnTheWayOut) return "live trading is switched off";
  return refusalOfKillSwitch(switches, { side, purpose }) ?? refusalOfPause(switches, { side, purpose });
}

type Leg = Pick<Intent, "side" | "purpose">;

/** True while one of the levels has everything sold; an account that is closing is one of them. */
export const isFlattening = ({
  account,
  systemKillState,
  userKillState,
}: Pick<Switches, "account" | "systemKillState" | "userKillState">): boolean =>
  strictestKillState(account.killState, userKillState, systemKillState) === "FLATTEN";

/** Four levels, each of which stops by itself: together the strictest holds. */
function refusalOfKillSwitch(switches: Switches, leg: Leg): string | null {
  const { account, systemKillState, userKillState, isSymbolStopped } = switches;
  if (leg.purpose === "FLATTEN" && !isFlattening(switches)) return "selling everything was taken back";
  if (isStoppedBy(systemKillState, leg)) return `kill switch of the system: ${killStateText(systemKillState)}`;
  if (isStoppedBy(userKillState, leg)) return `kill switch of the user: ${killStateText(userKillState)}`;
  if (isStoppedBy(account.killState, leg)) return `kill switch of the account: ${killStateText(account.killState)}`;
  if (isSymbolStopped && isStoppedBy("REDUCE_ONLY", leg)) return "kill switch of the symbol: reduce only";
  return null;
}

function refusalOfPause(
  { account, isAutomationPaused, isSwitchedOff, isUserDisabled }: Switches,
  leg: Leg,
): string | null {
  if (account.status === "PAUSED" && isStoppedBy("REDUCE_ONLY", leg)) return "the account is paused";
  if (isUserDisabled && isStoppedBy("REDUCE_ONLY", leg)) return "the user is disabled";
  if (isAutomationPaused && leg.side === "BUY") return "automation is paused";
  if (isSwitchedOff && leg.side === "BUY") return "automation is switched off for everyone";
  return null;
}
