import { REGIME_WORDS } from "../engine/reasons.ts";
import { isLongBreakout } from "../strategies/breakout.ts";
import { byCondition, type Gate, missing } from "./gate.ts";

/** What the regime allows the strategy; at LOW risk level entries are made in risk_on only. */
export const regime = {
  code: "regime",
  label: "regime",
  explanation: "The market's regime has to allow new entries of this strategy.",
  scope: "seat",
  check: ({ state, market, strategy, view }) => {
    const { label, spyClose, spyMa200 } = market.regime;
    if (state.preferences.riskLevel === "LOW" && label !== "risk_on") {
      return byCondition(
        false,
        `${REGIME_WORDS[label]}: at low risk level entries are made only while the regime is risk on`,
      );
    }
    if (strategy === "MOMENTUM") return byCondition(label !== "risk_off", REGIME_WORDS[label]);
    if (strategy === "MEAN_REVERSION") {
      if (spyClose === null || spyMa200 === null) return missing("SPY or its 200-day average is not known");
      return byCondition(
        spyClose > spyMa200,
        `SPY at $${spyClose.toFixed(2)}, its 200-day average at $${spyMa200.toFixed(2)}`,
      );
    }
    const isLong = isLongBreakout(view?.features ?? null);
    const isAllowed = label === "risk_on" || (label === "neutral" && isLong);
    return byCondition(isAllowed, `${REGIME_WORDS[label]}, ${isLong ? "55-day" : "20-day"} breakout`);
  },
} as const satisfies Gate;
