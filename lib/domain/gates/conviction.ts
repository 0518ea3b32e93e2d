import { besideLine } from "../beside-line.ts";
import type { SeatView } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";
import type { Policy } from "../policy.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { upTo } from "./texts.ts";

/** Confidence that an entry needs at the user's risk level. */
export function convictionLine(state: { preferences: Pick<PreferencesView, "riskLevel"> }, policy: Policy): number {
  const { min_confidence, low_risk_extra, high_risk_relief } = policy.signals_confidence;
  const { riskLevel } = state.preferences;
  return min_confidence + (riskLevel === "LOW" ? low_risk_extra : riskLevel === "HIGH" ? -high_risk_relief : 0);
}

/** Factor families at or above the line; a family without a source is not strong. */
export function strongFamilies(seat: SeatView, policy: Policy): number {
  const line = policy.signals_confidence.family_score;
  let strong = seat.technical >= line ? 1 : 0;
  if (seat.liquidity >= line) strong++;
  return seat.sentiment !== null && seat.sentiment >= line ? strong + 1 : strong;
}

/** What the families nearest to the line lack so that enough are strong. */
function lackingFamilies(seat: SeatView, policy: Policy): string[] {
  const { min_families, family_score: line } = policy.signals_confidence;
  return (["technical", "liquidity", "sentiment"] as const)
    .map((name) => ({ name, score: seat[name] }))
    .filter(({ score }) => score === null || score < line)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .slice(0, Math.max(0, min_families - strongFamilies(seat, policy)))
    .map(({ name, score }) => (score === null ? `a ${name} score` : `+${upTo(line - score, 1)} ${name}`));
}

/** Confidence at or above the line and enough strong factor families. Margin in confidence. */
export const conviction = {
  code: "conviction",
  label: "conviction",
  explanation: "Score and confidence have to reach the line of your Risk Level.",
  scope: "seat",
  // A missing factor family weighs a whole one, a confidence always less.
  unit: (margin, { passed }) =>
    !passed && margin >= 1
      ? `${margin} factor ${margin === 1 ? "family" : "families"}`
      : `${besideLine(margin, 0, 3)[0]} of confidence`,
  flip: (_, { state, policy, seat, confidence }) => {
    if (seat === null || confidence === null) return "a seat in the Top-50";
    const needs: string[] = [];
    const lacking = convictionLine(state, policy) - confidence;
    if (lacking > 1e-12) {
      const composite = upTo((lacking * 100) / policy.signals_confidence.composite_weight, 1);
      // Without a weight it is infinite. What no composite of 100 makes up for is told as what lacks.
      const isReachable = seat.composite + Number(composite) <= 100;
      needs.push(isReachable ? `+${composite} composite` : `+${upTo(lacking, 3)} of confidence`);
    }
    return [...needs, ...lackingFamilies(seat, policy)].join(" and ");
  },
  check: ({ state, policy, seat, confidence }) => {
    if (seat === null) return missing("not in the Top-50");
    if (confidence === null) return missing("confidence is not known");
    const line = convictionLine(state, policy);
    const families = strongFamilies(seat, policy);
    const needed = policy.signals_confidence.min_families;
    // A sum of decimals such as 0.7 + 0.1 must not refuse a confidence that stands exactly on the line.
    const margin = Math.abs(confidence - line) < 1e-12 ? 0 : confidence - line;
    return byMargin(families >= needed ? margin : Math.min(margin, families - needed), () => {
      const [is, asked] = besideLine(margin === 0 ? line : confidence, line, 3, 2);
      return `confidence ${is} against ${asked}, ${families} of ${needed} strong factor families`;
    });
  },
} as const satisfies Gate;
