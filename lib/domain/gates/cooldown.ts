import { sessionsSince } from "../risk/sessions.ts";
import { byMargin, type Answer, type Gate, type GateInput, missing } from "./gate.ts";
import { counted } from "../counted.ts";

/**
 * No entry for some sessions after a stop-out of the same symbol, nor in the session of a sale by hand or of a purchase that the
 * broker refused. Margin in sessions.
 */
export const cooldown = {
  code: "cooldown",
  label: "cooldown",
  explanation:
    "A stock that was stopped out is not bought for some sessions; one that you sold yourself or whose purchase the broker refused, not before the next session.",
  scope: "order",
  unit: "session",
  check: (input) => {
    const verdict = afterStopOut(input);
    if (!verdict.passed) return verdict;
    const { state, symbol } = input;
    if (state.soldByHand?.includes(symbol))
      return byMargin(-1, "sold by its owner in this session, waits for the next one");
    if (state.refusedByBroker?.includes(symbol))
      return byMargin(-1, "its purchase was refused by the broker in this session, waits for the next one");
    return verdict;
  },
} as const satisfies Gate;

function afterStopOut({ state, market, policy, symbol }: GateInput): Answer {
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
}
