import { countText, dateText, moneyText, shareText, signedPercentText } from "../format.ts";
import { HISTORY_PREFERENCES } from "../backtest/strategy-history.ts";

/** The history of a strategy. Fractions. */
export interface HistoryFacts {
  sessions: number;
  /** First and last session. */
  from: string;
  to: string;
  /** USD */
  cash: number;
  totalReturn: number;
  indexReturn: number | null;
  maxDrawdown: number;
  trades: number;
  winRate: number | null;
  exposure: number;
}

/** Where the first one is still to come. */
export const NO_HISTORY_YET =
  "No history yet: it is worked out in the background, soon after Tradewind has first looked at the market.";

export const NO_MARKET_DATA = "No history: this market's data is not connected here.";

/** Why a market that is too young has no history of the strategies. */
export const tooFewSessions = (count: number, least: number): string =>
  `Too few sessions: ${count === 1 ? "1 session" : `${countText(count)} sessions`} of this market can be traded so far, and a history takes ${least}.`;

/** What it is a history of. */
export const historyLabel = ({ sessions, from, to }: Pick<HistoryFacts, "sessions" | "from" | "to">): string =>
  `Backtest of the last ${sessions} sessions (from ${dateText(from)} to ${dateText(to)}), costs included; not your account.`;

/** What it began with, and how much of that the settings put to work. */
export function historyBasis({ cash, exposure }: Pick<HistoryFacts, "cash" | "exposure">): string {
  const { maxPositions, maxPositionValue } = HISTORY_PREFERENCES;
  return (
    `With ${maxPositions} positions of at most ${moneyText(Number(maxPositionValue))} and otherwise default settings, starting from ${moneyText(cash)}. ` +
    `On average ${shareText(exposure)} of the money was invested; the rest was cash that earns nothing. SPY is held with all of the money.`
  );
}

/** All figures in one sentence, for who does not see the line. */
export function historySentence(label: string, history: HistoryFacts): string {
  const { totalReturn, indexReturn, maxDrawdown, trades, winRate } = history;
  const market = indexReturn === null ? "SPY did not trade" : `SPY ${signedPercentText(100 * indexReturn)}`;
  return `${label} ${signedPercentText(100 * totalReturn)}, over the same sessions ${market}; largest fall ${signedPercentText(100 * maxDrawdown)}; ${endedText(trades, winRate)}.`;
}

/** One trade is no share of several. */
function endedText(trades: number, winRate: number | null): string {
  if (trades === 0) return "no trade ended";
  if (trades === 1)
    return `1 trade ended, ${winRate === null ? "at break-even" : winRate > 0 ? "with a gain" : "without a gain"}`;
  const won = winRate === null ? "" : `, ${shareText(winRate)} of them with a gain (break-even trades are not counted)`;
  return `${countText(trades)} trades ended${won}`;
}
