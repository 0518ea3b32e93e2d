import { besideLine } from "../beside-line.ts";
import { minutesBetween } from "../time.ts";
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
    const sinceOpen = minutesBetween(opensAt, market.at);
    const untilClose = minutesBetween(market.at, closesAt);
    if (Number.isNaN(sinceOpen) || Number.isNaN(untilClose)) return missing("the session's hours are not known");
    return byMargin(Math.min(sinceOpen - open_minutes, untilClose - close_minutes), () => {
      const [since, until] = [besideLine(sinceOpen, open_minutes, 0)[0], besideLine(untilClose, close_minutes, 0)[0]];
      return `${since} min after the open, ${until} min before the close`;
    });
  },
} as const satisfies Gate;
