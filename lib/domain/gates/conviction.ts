import type { AccountState, SeatView } from "../engine/plan.ts";
import type { Policy } from "../policy.ts";
import { type Gate, missing } from "./gate.ts";

/** Confidence that an entry needs at the user's risk level. */
export function convictionLine(state: AccountState, policy: Policy): number {
  const { min_confidence, low_risk_extra, high_risk_relief } = policy.signals_confidence;
  const { riskLevel } = state.preferences;
  return min_confidence + (riskLevel === "LOW" ? low_risk_extra : riskLevel === "HIGH" ? -high_risk_relief : 0);
}

/** Factor families at or above the line; a family without a source is not strong. */
export function strongFamilies(seat: SeatView, policy: Policy): number {
  const line = policy.signals_confidence.family_score;
  return [seat.technical, seat.liquidity, seat.sentiment].filter((score) => score !== null && score >= line).length;
}

/** Confidence at or above the line and enough strong factor families. Margin in confidence. */
export const conviction: Gate = ({ state, policy, seat, confidence }) => {
  if (seat === null) return missing("conviction", "not in the Top-50");
  if (confidence === null) return missing("conviction", "confidence is not known");
  const line = convictionLine(state, policy);
  const families = strongFamilies(seat, policy);
  const needed = policy.signals_confidence.min_families;
  // A sum of decimals such as 0.7 + 0.1 must not refuse a confidence that stands exactly on the line.
  const margin = Math.abs(confidence - line) < 1e-12 ? 0 : confidence - line;
  return {
    code: "conviction",
    passed: margin >= 0 && families >= needed,
    isWarning: false,
    margin: families >= needed ? margin : Math.min(margin, families - needed),
    detail: `confidence ${confidence.toFixed(3)} against ${line.toFixed(2)}, ${families} of ${needed} strong factor families`,
  };
};
