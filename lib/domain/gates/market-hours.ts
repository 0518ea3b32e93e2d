import { MINUTE_MS } from "../time.ts";
import { byMargin, type Gate, missing } from "./gate.ts";
import { countedUp } from "./texts.ts";

/** Open, past the first minutes and before the last minutes. Margin in minutes. */
export const marketHours = {
  code: "market_hours",
  label: "market hours",
  explanation: "Entries are sent within the trading window of an open session.",
  scope: "session",
  unit: "minute",
  flip: (lacking, { market }) =>
    market.session.isOpen && lacking !== null
      ? `${countedUp(lacking, "minute")} inside the trading window`
      : "an open market",
  check: ({ market, policy }) => {
    const { isOpen, opensAt, closesAt } = market.session;
    const { open_minutes, close_minutes } = policy.pretrade_filters;
    if (!isOpen) return { passed: false, isWarning: false, margin: -1, detail: "the market is closed" };
    const at = Date.parse(market.at);
    const sinceOpen = (at - Date.parse(opensAt)) / MINUTE_MS;
    const untilClose = (Date.parse(closesAt) - at) / MINUTE_MS;
    if (Number.isNaN(sinceOpen) || Number.isNaN(untilClose)) return missing("the session's hours are not known");
    return byMargin(
      Math.min(sinceOpen - open_minutes, untilClose - close_minutes),
      () => `${sinceOpen.toFixed(0)} min after the open, ${untilClose.toFixed(0)} min before the close`,
    );
  },
} as const satisfies Gate;
