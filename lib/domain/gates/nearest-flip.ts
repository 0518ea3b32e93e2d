import type { GateResult } from "../engine/plan.ts";
import { GATE_WORDS } from "../engine/reasons.ts";
import { convictionLine, strongFamilies } from "./conviction.ts";
import { counted, type GateInput } from "./gate.ts";
import { dollarText, usdOf } from "../risk/usd.ts";

/** Rounds a needed amount up to the digits shown, so that applying what is written is enough. */
function upTo(value: number, digits: number): string {
  const unit = 10 ** digits;
  return (Math.ceil(value * unit - 1e-9) / unit).toFixed(digits);
}

/** Dollars that are needed, to the cent above: "+$1,204.50". */
const dollars = (amount: number) => `+${dollarText(usdOf(Number(upTo(amount, 2))))}`;

function countedUp(amount: number, what: string): string {
  return counted(Number(upTo(amount, 0)), what);
}

function convictionFlip({ state, policy, seat, confidence }: GateInput): string {
  if (seat === null || confidence === null) return "a seat in the Top-50";
  const needs: string[] = [];
  const lacking = convictionLine(state, policy) - confidence;
  const weight = policy.signals_confidence.composite_weight;
  if (lacking > 1e-12 && weight > 0) needs.push(`+${upTo((lacking * 100) / weight, 1)} composite`);
  const families = policy.signals_confidence.min_families - strongFamilies(seat, policy);
  if (families > 0) {
    const line = policy.signals_confidence.family_score;
    const below = (["technical", "liquidity", "sentiment"] as const)
      .map((name) => ({ name, score: seat[name] }))
      .filter(({ score }) => score === null || score < line)
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .slice(0, families);
    for (const { name, score } of below)
      needs.push(score === null ? `a ${name} score` : `+${upTo(line - score, 1)} ${name}`);
  }
  return needs.join(" and ");
}

function flipOf(result: GateResult, input: GateInput): string {
  const lacking = result.margin === null ? null : -result.margin;
  switch (result.code) {
    case "conviction":
      return convictionFlip(input);
    case "market_hours":
      return input.market.session.isOpen && lacking !== null
        ? `${countedUp(lacking, "minute")} inside the trading window`
        : "an open market";
    case "data_stale":
      return lacking === null ? "fresh data" : `a quote ${upTo(lacking, 0)} s younger`;
    case "earnings_blackout":
      return lacking === null ? "the earnings calendar" : `${countedUp(lacking, "more session")} from the report`;
    case "duplicate":
      return "the position or order in it to end";
    case "max_positions":
      return countedUp(lacking ?? 1, "free position slot");
    case "position_value":
    case "gross":
    case "adv":
    case "buying_power":
      return lacking === null ? result.detail : `${dollars(lacking)} of ${GATE_WORDS[result.code]}`;
    case "sector":
      return lacking === null || result.detail.includes("mean-reversion")
        ? "a free sector place"
        : `${dollars(lacking)} of sector`;
    case "cooldown":
    case "stop_guard":
      return lacking === null ? result.detail : `${countedUp(lacking, "more session")} (${GATE_WORDS[result.code]})`;
    default:
      return `${GATE_WORDS[result.code]} to clear (${result.detail})`;
  }
}

/** What would have to change for the entry to pass: every refusing gate's own distance, in words; null when it passes. */
export function nearestFlip(results: readonly GateResult[], input: GateInput): string | null {
  const refusing = results.filter(({ passed, isWarning }) => !passed && !isWarning);
  // Without a size nothing else is wrong with the size gate when a limit already says which room is missing.
  const told = refusing.length > 1 ? refusing.filter(({ code }) => code !== "size") : refusing;
  return told.length === 0 ? null : `needs ${told.map((result) => flipOf(result, input)).join("; ")}`;
}
