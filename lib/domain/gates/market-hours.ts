import { MINUTE_MS } from "../time.ts";
import { byMargin, type Gate, missing } from "./gate.ts";

/** Open, past the first minutes and before the last minutes. Margin in minutes. */
export const marketHours: Gate = ({ market, policy }) => {
  const { isOpen, opensAt, closesAt } = market.session;
  const { open_minutes, close_minutes } = policy.pretrade_filters;
  if (!isOpen)
    return { code: "market_hours", passed: false, isWarning: false, margin: -1, detail: "the market is closed" };
  const at = Date.parse(market.at);
  const sinceOpen = (at - Date.parse(opensAt)) / MINUTE_MS;
  const untilClose = (Date.parse(closesAt) - at) / MINUTE_MS;
  if (Number.isNaN(sinceOpen) || Number.isNaN(untilClose))
    return missing("market_hours", "the session's hours are not known");
  return byMargin(
    "market_hours",
    Math.min(sinceOpen - open_minutes, untilClose - close_minutes),
    `${sinceOpen.toFixed(0)} min after the open, ${untilClose.toFixed(0)} min before the close`,
  );
};
