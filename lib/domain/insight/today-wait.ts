import { besideLine } from "../beside-line.ts";
import type { RegimeView } from "../engine/plan.ts";
import { REGIMES } from "../enums.ts";
import { easternDayText } from "../format.ts";
import { addSessions, isSession, sessionsBetween } from "../market-calendar.ts";
import { regimeDistance, type RegimeDistance, type RegimeWay } from "../screening/regime-distance.ts";
import type { RegimeMemory } from "../screening/regime.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { newYorkInstant, type SessionDate } from "../time.ts";
import type { TodayFacts } from "./today-facts.ts";

/** What of the market keeps the strategy from buying, and how far it is from letting it. */
export type MarketHold =
  | { kind: "distance"; distance: RegimeDistance; view: RegimeView; session: SessionDate }
  /** SPY has to close above its 200-day average. */
  | { kind: "trend"; spyAbove: number; view: RegimeView }
  | { kind: "unknown"; what: Unknown };

/**
 * What is not known, and what that comes to. VIX: the market counts as falling, as a precaution; VIX_FALLING: it is falling by SPY
 * alone; VIX_MIXED: it counts as mixed at best. SPY: the market counts as falling; SPY_TREND: its 200-day average alone is missing.
 */
export type Unknown = "VIX" | "VIX_FALLING" | "VIX_MIXED" | "SPY" | "SPY_TREND";

type Market = Pick<TodayFacts, "regime" | "preferences" | "policy">;

/** While the market is mixed breakouts are bought at 55-session highs only: which stocks those are the market does not say. */
const isForHighsOnly = (label: RegimeView["label"], { strategy, riskLevel }: TodayFacts["preferences"]) =>
  strategy === "BREAKOUT" && riskLevel !== "LOW" && label === "neutral";

export const takesHighsOnly = ({ regime, preferences }: Market): boolean =>
  regime !== null && isForHighsOnly(regime.view.label, preferences);

function unknownVix({ label, view }: RegimeMemory): Unknown {
  if (view.label === "neutral") return "VIX_MIXED";
  // The memory keeps what the other votes say.
  return label === "risk_off" ? "VIX_FALLING" : "VIX";
}

/** Null where the market lets the strategy buy, and before its first reading. */
export function marketHold({ regime, preferences, policy }: Market): MarketHold | null {
  if (regime === null) return null;
  const { strategy, riskLevel } = preferences;
  const { view } = regime;
  const isAllowed = (label: RegimeView["label"]) =>
    isForHighsOnly(label, preferences) ||
    ((riskLevel !== "LOW" || label === "risk_on") &&
      STRATEGIES[strategy].regime({ regime: { ...view, label }, word: "", features: null }).isAllowed === true);
  if (isAllowed(view.label)) return null;
  if (view.spyClose === null || view.spyMa50 === null) return { kind: "unknown", what: "SPY" };
  const wanted = REGIMES.filter(isAllowed);
  if (wanted.length === 0) {
    const { spyMa200 } = view;
    return spyMa200 === null ? { kind: "unknown", what: "SPY_TREND" } : { kind: "trend", spyAbove: spyMa200, view };
  }
  if (view.vix === null) return { kind: "unknown", what: unknownVix(regime) };
  const distance = regimeDistance(regime, wanted, policy);
  return distance && { kind: "distance", distance, view, session: regime.sessionDate };
}

/** More ways than these are not told one by one. */
const WAYS_MOST = 2;

/** To the cent above, so that a close above what is written is enough. */
const levelText = (level: number) => `$${(Math.ceil(level * 100 - 1e-6) / 100).toFixed(2)}`;

function spyText(level: number, { spyClose }: RegimeView): string {
  const away = spyClose === null ? "" : ` (${besideLine(100 * (level / spyClose - 1), 0, 1)[0]}% above its last close)`;
  return `SPY closes above about ${levelText(level)}${away}`;
}

function vixText(level: number, { vix }: RegimeView, hasVerb: boolean): string {
  return `the VIX ${hasVerb ? "" : "closes "}below ${level}${vix === null ? "" : ` (last ${besideLine(vix, level, 1)[0]})`}`;
}

function wayText({ spyAbove, vixBelow }: RegimeWay, view: RegimeView): string {
  if (spyAbove === null) return vixBelow === null ? "" : vixText(vixBelow, view, false);
  return spyText(spyAbove, view) + (vixBelow === null ? "" : ` and ${vixText(vixBelow, view, true)}`);
}

/** Levels that are enough alone come first; of several mixed ones it is said that there are. Null where nothing is missing. */
function waysText(ways: readonly RegimeWay[], view: RegimeView): string | null {
  const isMixed = ({ spyAbove, vixBelow }: RegimeWay) => spyAbove !== null && vixBelow !== null;
  if (ways.some(({ spyAbove, vixBelow }) => spyAbove === null && vixBelow === null)) return null;
  const alone = ways.filter((way) => !isMixed(way)).map((way) => wayText(way, view));
  const mixed = ways.filter(isMixed).map((way) => wayText(way, view));
  if (alone.length < WAYS_MOST) return [...alone, ...mixed].slice(0, WAYS_MOST).join(", or ");
  return `${alone.join(" or ")}${mixed.length === 0 ? "" : ", or when both come part of that way"}`;
}

/** "Thu 15 Feb": the year of a day that is near goes without saying. */
export const dayText = (date: SessionDate) => easternDayText(newYorkInstant(date, 12, 0)).replace(/ \d{4}$/, "");

const UNKNOWN = {
  VIX: "when its source gives the VIX again: without it Tradewind counts the market as falling",
  VIX_FALLING:
    "when its source gives the VIX again and the market is calmer: without it Tradewind never counts it as calmer",
  VIX_MIXED:
    "when its source gives the VIX again and the market is calm and rising: without it Tradewind counts the market as mixed at best",
  SPY: "when the source gives SPY's closes again: without them Tradewind counts the market as falling",
  SPY_TREND: "when SPY's 200-day average is known and SPY closes above it",
} as const satisfies Record<Unknown, string>;

/**
 * What ends it, in what a person can watch, behind "It buys again": "when SPY closes above about $268.40 (1.2 % above its last
 * close) or the VIX closes below 25 (last 37.3), twice running; on Thu 15 Feb at the earliest, in 5 sessions".
 */
export function waitText(hold: MarketHold, today: SessionDate): string {
  if (hold.kind === "unknown") return UNKNOWN[hold.what];
  if (hold.kind === "trend") return `when ${spyText(hold.spyAbove, hold.view)}, its 200-day average`;
  const { distance, view, session } = hold;
  const first = addSessions(session, distance.sessions);
  const left = sessionsBetween(today, first).length - (isSession(today) ? 1 : 0);
  const day = first <= today ? "today" : `on ${dayText(first)}`;
  const earliest = `${day} at the earliest${left > 1 ? `, in ${left} sessions` : ""}`;
  const ways = waysText(distance.ways, view);
  if (ways === null) return `${earliest}, if SPY and the VIX stay where they are`;
  const often = ["", "", ", twice running"][distance.closes] ?? `, ${distance.closes} times running`;
  return `when ${ways}${often}; ${earliest}`;
}
