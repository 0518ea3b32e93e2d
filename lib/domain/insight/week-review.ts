import { REASON_TEXT } from "../engine/reasons.ts";
import { countText, signedPercentText } from "../format.ts";
import type { GateCode } from "../gates/gates.ts";
import { type DecimalText, money } from "../money.ts";
import { waitsFor } from "./gate-text.ts";
import { readCycleLine } from "./read-cycle-line.ts";
import { reasonGroupText } from "./reason-groups.ts";
import { type Part, partsOf, signed } from "./sentence-parts.ts";

export interface WeekFacts {
  /** USD. */
  pnl: DecimalText;
  /** Time-weighted return and SPY's over the same sessions, fractions; null where not known. */
  value: number | null;
  spy: number | null;
  isRunning: boolean;
  /** Orders with fills. */
  trades: number;
  wins: number;
  losses: number;
  scratches: number;
  /** Round trips by the reason of their exit, in words. */
  exits: readonly { reason: string; count: number }[];
}

/** "A week of -$2,115.40 (-2.10%), SPY -1.30%. 14 round trips, all lost: 9 at their stops." Null: nothing was read of the week. */
export function weekHeadline(facts: WeekFacts | null): Part[] {
  if (facts === null) return partsOf(["Nothing is recorded of this week."]);
  const { pnl, value, spy, isRunning } = facts;
  const percent = value === null ? "" : ` (${signedPercentText(100 * value)})`;
  const beside = spy === null ? "" : `, SPY ${signedPercentText(100 * spy)}`;
  const result = money(pnl).isZero() ? ["No change", isRunning ? " so far" : " over the week"] : amountOf(facts);
  return partsOf([...result, `${percent}${beside}. `, tripsText(facts)]);
}

const amountOf = ({ pnl, isRunning }: WeekFacts) =>
  isRunning ? ["So far ", signed(pnl), " this week"] : ["A week of ", signed(pnl)];

const STOPS: ReadonlySet<string> = new Set([REASON_TEXT.protective_stop, REASON_TEXT.trailing_stop]);

function tripsText({ trades, wins, losses, scratches, exits }: WeekFacts): string {
  const count = wins + losses + scratches;
  if (count === 0) return trades === 0 ? "Nothing was bought or sold." : "No round trip was closed.";
  const stopped = exits.reduce((total, exit) => total + (STOPS.has(exit.reason) ? exit.count : 0), 0);
  const trips = `${countText(count)} round ${count === 1 ? "trip" : "trips"}`;
  const kinds = [
    { count: wins, word: "won" },
    { count: losses, word: "lost" },
    { count: scratches, word: "even" },
  ].filter((kind) => kind.count > 0);
  const [only, ...others] = kinds;
  if (only !== undefined && others.length === 0)
    return `${trips}, ${count === 1 ? "" : "all "}${only.word}${stopsText(stopped, count, ": ", " ")}.`;
  return `${trips}: ${kinds.map((kind) => `${countText(kind.count)} ${kind.word}`).join(", ")}${stopsText(stopped, count, "; ", "; all ")}.`;
}

/** How many of them ended at their stops. */
function stopsText(stopped: number, count: number, some: string, all: string): string {
  if (stopped === 0) return "";
  if (stopped === count) return `${all}at ${count === 1 ? "its stop" : "their stops"}`;
  return `${some}${countText(stopped)} at ${stopped === 1 ? "its stop" : "their stops"}`;
}

export interface WeekRefusals {
  /** Decisions whose line could be read. */
  decisions: number;
  groups: {
    code: GateCode;
    /** "Up to 26 stocks wait for a calmer market" */
    text: string;
    /** In how many decisions it refused. */
    decisions: number;
  }[];
}

/** Decisions of a week that a state of the account stopped as a whole. */
function wholeText(whole: number, decisions: number): string {
  if (whole === decisions) return "Nothing was bought: it";
  return whole === 1 ? "One look bought nothing: it" : `${countText(whole)} looks bought nothing: they`;
}

/** What refused in the decisions of a week, that of the most decisions first. The same stock is refused anew in each. */
export function weekRefusals(lines: readonly string[]): WeekRefusals {
  const found = new Map<GateCode, { decisions: number; least: number; most: number; whole: number }>();
  let decisions = 0;
  for (const line of lines) {
    const says = readCycleLine(line);
    if (says === null) continue;
    decisions += 1;
    for (const { code, count } of says.refusals) {
      const known = found.get(code) ?? { decisions: 0, least: count ?? 0, most: 0, whole: 0 };
      found.set(code, {
        decisions: known.decisions + 1,
        least: Math.min(known.least, count ?? 0),
        most: Math.max(known.most, count ?? 0),
        whole: known.whole + (count === null ? 1 : 0),
      });
    }
  }
  const groups = [...found].map(([code, { least, most, whole, ...rest }]) => ({
    code,
    text:
      whole > 0
        ? `${wholeText(whole, decisions)} waited for ${waitsFor(code, whole === 1 || whole === decisions ? "its" : "their")}`
        : `${least === most ? "" : "Up to "}${reasonGroupText(code, most)}`,
    ...rest,
  }));
  return { decisions, groups: groups.sort((a, b) => b.decisions - a.decisions || (a.code < b.code ? -1 : 1)) };
}
