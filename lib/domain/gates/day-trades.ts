import { type Gate } from "./gate.ts";
import { counted } from "../counted.ts";

/** Day trades of the last 5 sessions: a warning, unless the policy makes it a limit. Margin in day trades. */
export const dayTrades = {
  code: "day_trades",
  label: "day trades",
  explanation: "Buying and selling within one day is counted and limited.",
  scope: "account",
  unit: "day trade",
  check: ({ state, policy }) => {
    const { day_trade_warn, day_trade_blocks } = policy.pretrade_filters;
    const margin = day_trade_warn - 1 - state.dayTrades;
    return {
      passed: margin >= 0,
      isWarning: day_trade_blocks === 0,
      margin,
      detail: () => `${counted(state.dayTrades, "day trade")} in 5 sessions, the line is ${day_trade_warn}`,
    };
  },
} as const satisfies Gate;
