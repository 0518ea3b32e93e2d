import { REGIME_TEXT } from "../engine/reasons.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { byCondition, type Gate, missing } from "./gate.ts";

/** What the regime allows the strategy; at LOW risk level entries are made in risk_on only. */
export const regime = {
  code: "regime",
  label: "regime",
  explanation: "The state of the market (its regime) has to allow purchases with this strategy.",
  scope: "seat",
  check: ({ state, market, strategy, view }) => {
    const { label } = market.regime;
    if (state.preferences.riskLevel === "LOW" && label !== "risk_on") {
      return byCondition(
        false,
        `${REGIME_TEXT[label]}: at low risk level entries are made only while the regime is risk on`,
      );
    }
    const asked = { regime: market.regime, word: REGIME_TEXT[label], features: view?.features ?? null };
    const { isAllowed, detail } = STRATEGIES[strategy].regime(asked);
    return isAllowed === null ? missing(detail) : byCondition(isAllowed, detail);
  },
} as const satisfies Gate;
