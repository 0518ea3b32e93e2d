import { byCondition, type Gate } from "./gate.ts";

/** A LIVE account is never traded while the user trades on paper only. */
export const liveNotAllowed = {
  code: "live_not_allowed",
  label: "live not allowed",
  name: "live trading",
  explanation: "Real money is traded only where Paper Trading Only is off.",
  scope: "account",
  check: ({ state }) =>
    byCondition(
      state.environment !== "LIVE" || !state.preferences.paperTradingOnly,
      `${state.environment === "LIVE" ? "live" : "paper"} account, Paper Trading Only is ${state.preferences.paperTradingOnly ? "on" : "off"}`,
    ),
} as const satisfies Gate;
