import { isLongBreakout } from "../strategies/breakout.ts";
import { byCondition, type Gate, missing } from "./gate.ts";

/** What the regime allows the strategy; at LOW risk level entries are made in risk_on only. */
export const regime: Gate = ({ state, market, strategy, view }) => {
  const { label, spyClose, spyMa200 } = market.regime;
  if (state.preferences.riskLevel === "LOW" && label !== "risk_on") {
    return byCondition("regime", false, `${label}: at LOW risk level entries are made in risk_on only`);
  }
  if (strategy === "MOMENTUM") return byCondition("regime", label !== "risk_off", label);
  if (strategy === "MEAN_REVERSION") {
    if (spyClose === null || spyMa200 === null) return missing("regime", "SPY or its 200-day average is not known");
    return byCondition(
      "regime",
      spyClose > spyMa200,
      `SPY ${spyClose.toFixed(2)}, 200-day average ${spyMa200.toFixed(2)}`,
    );
  }
  const isLong = isLongBreakout(view?.features ?? null);
  const isAllowed = label === "risk_on" || (label === "neutral" && isLong);
  return byCondition("regime", isAllowed, `${label}, ${isLong ? "55-day" : "20-day"} breakout`);
};
