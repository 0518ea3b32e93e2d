import { byCondition, type Gate } from "./gate.ts";

/** A LIVE account is never traded while the user trades on paper only. */
export const liveNotAllowed: Gate = ({ state }) =>
  byCondition(
    "live_not_allowed",
    state.environment !== "LIVE" || !state.preferences.paperTradingOnly,
    `${state.environment === "LIVE" ? "live" : "paper"} account, Paper Trading Only is ${state.preferences.paperTradingOnly ? "on" : "off"}`,
  );
