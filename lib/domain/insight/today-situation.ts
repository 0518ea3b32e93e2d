import { GATE_CODES, type GateCode } from "../gates/gates.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import type { TodayFacts } from "./today-facts.ts";
import { marketHold, type Unknown } from "./today-wait.ts";
import { mainRefusal } from "./today-text.ts";

/** What the day is about, the one that outranks all others. A losing week and real money are told beside it, in the headline. */
export const SITUATIONS = [
  "NO_ACCOUNT",
  "HALTED",
  "PAUSED",
  "FIRST_LOOK",
  "SOURCE_MISSING",
  "CLOSED",
  "BOUGHT",
  "HOLDING_BACK",
  "PLACES_TAKEN",
  "NOTHING_TO_BUY",
] as const;
export type Situation = (typeof SITUATIONS)[number];

export function situationOf(facts: TodayFacts): Situation {
  const { environment, holds, hasDecided, market, trades } = facts;
  if (environment === null || facts.accounts === 0) return "NO_ACCOUNT";
  const holdsBy = (...kinds: string[]) => holds.some(({ kind }) => kinds.includes(kind));
  if (holdsBy("HALTED", "RESTRICTED", "ALL_RESTRICTED", "QUEUE_PAUSED", "SWITCHED_OFF")) return "HALTED";
  const paused = holds.filter(({ kind }) => kind === "ACCOUNT_PAUSED").length;
  if (holdsBy("PAUSED") || paused === facts.accounts) return "PAUSED";
  const missing = missingSource(facts);
  // No look comes before these are back.
  if (missing === "WORKER" || missing === "BROKER") return "SOURCE_MISSING";
  if (!hasDecided) return "FIRST_LOOK";
  if (missing !== null) return "SOURCE_MISSING";
  if (!market.isOpen) return "CLOSED";
  if (trades.some(({ side }) => side === "BUY")) return "BOUGHT";
  const main = refusalOf(facts);
  if (marketHold(facts) !== null || main === "regime") return "HOLDING_BACK";
  return main === "max_positions" || isFull(facts) ? "PLACES_TAKEN" : "NOTHING_TO_BUY";
}

/** What kept most from being bought at the latest look; null where nothing did, or it ordered. */
export function refusalOf({ look }: Pick<TodayFacts, "look">): string | null {
  const says = look && readCycleLine(look.line);
  return says && says.orders === 0 ? (mainRefusal(says)?.code ?? null) : null;
}

/** What kept most from being bought at the latest look was an account's own state, which has ended since: nothing waits for it. */
export const hasEnded = (facts: TodayFacts): boolean =>
  facts.holds.length === 0 && OF_ACCOUNT.includes(refusalOf(facts) ?? "");

const OF_ACCOUNT: readonly string[] = ["automation_off", "kill_state", "account_status"] satisfies GateCode[];

/** What an account's own state refuses, whatever the market and the stock. */
const OF_ACCOUNTS_STATE: readonly string[] = [
  ...OF_ACCOUNT,
  ...([
    "keys_missing",
    "live_not_allowed",
    "max_positions",
    "gross",
    "order_rate",
    "daily_loss",
    "drawdown",
    "stop_guard",
    "buying_power",
    "day_trades",
  ] satisfies GateCode[]),
];

/**
 * The look that the answer speaks of: the latest. Of several accounts it is that of one whose own state does not keep it from buying, where
 * there is one: what keeps one account is no reason for all. `looks`: oldest first.
 */
export function toldLook<T extends { line: string; accountId: string }>(looks: readonly T[]): T | undefined {
  const latest = [...new Map(looks.map((look) => [look.accountId, look])).values()];
  const isFree = (look: T) => !OF_ACCOUNTS_STATE.includes(refusalOf({ look: { id: "", at: "", ...look } }) ?? "");
  const told = latest.filter(isFree);
  return looks.findLast((look) => (told.length > 0 ? told : latest).includes(look));
}

/** Places that are held or on order. */
export function takenPlaces({ positions, waiting }: TodayFacts): number {
  const bought = waiting.filter(({ side }) => side === "BUY");
  return new Set([...positions, ...bought].map(({ symbol }) => symbol)).size;
}

/** Places are counted an account: over several accounts nothing is said of them. */
export const isFull = (facts: TodayFacts) =>
  facts.accounts === 1 && takenPlaces(facts) >= facts.preferences.maxPositions;

/** A stock that a later gate refused first passed that of the reports: the calendar has answered since the screening. */
function hasPassedEarnings({ look }: TodayFacts): boolean {
  const says = look && readCycleLine(look.line);
  const later = GATE_CODES.slice(GATE_CODES.indexOf("earnings_blackout") + 1);
  return says?.refusals.some(({ code }) => later.includes(code)) ?? false;
}

export type MissingSource = "WORKER" | "BROKER" | Unknown | "QUOTES" | "SOURCES" | "REPORTS" | "READING";

/** The source that decisions or figures lack, most severe first; null where all is there. */
export function missingSource(facts: TodayFacts): MissingSource | null {
  if (!facts.isWorkerBeating) return "WORKER";
  if (facts.silentAccounts > 0 && facts.silentAccounts === facts.accounts) return "BROKER";
  const hold = marketHold(facts);
  if (hold?.kind === "unknown") return hold.what;
  const refusal = refusalOf(facts);
  if (refusal === "data_stale") return "QUOTES";
  if (refusal === "provider_disagreement") return "SOURCES";
  if (refusal === "earnings_blackout" && facts.isCalendarMissing && !hasPassedEarnings(facts)) return "REPORTS";
  return facts.session !== null && facts.result === null ? "READING" : null;
}
