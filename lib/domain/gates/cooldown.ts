import { sessionsSince } from "../risk/sessions.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { counted } from "./texts.ts";

/** No entry for some sessions after a stop-out of the same symbol. Margin in sessions. */
export const cooldown = {
  code: "cooldown",
  label: "cooldown",
  explanation: "A stock that was stopped out rests for some sessions.",
  scope: "order",
  unit: "session",
  check: ({ state, market, policy, symbol }) => {
    const own = state.stopOuts.filter((stopOut) => stopOut.symbol === symbol).map(({ session }) => session);
    if (own.length === 0) return byMargin(0, () => `no stop-out of ${symbol} in the last sessions`);
    const latest = own.reduce((a, b) => (a > b ? a : b));
    const since = sessionsSince(market.sessions, latest, market.session.date);
    if (since === null) return missing("today is not in the known sessions");
    const wait = policy.pretrade_filters.cooldown_sessions;
    return byMargin(
      since - wait - 1,
      () => `stopped out ${counted(since, "session")} ago, waits ${counted(wait, "session")}`,
    );
  },
} as const satisfies Gate;
