import type { DecimalText } from "../money.ts";
import { DEFAULT_PREFERENCES, type PreferencesView } from "../preferences.ts";
import { indexEquity, statisticsOf, valueOf } from "../statistics/statistics.ts";
import type { SessionDate } from "../time.ts";
import type { BacktestResult } from "./result.ts";

/** A history is of the last `most` sessions, or of fewer where the market has no more; fewer than `least` show nothing. */
export const HISTORY_SESSIONS = { most: 250, least: 40 };
/** USD that each begins with. */
export const HISTORY_CASH = "100000";
/**
 * What a history is played with: ten places that can take all of the money, else what a person begins with. With the three small
 * positions of a beginner nearly all of it would be cash, and every strategy's line flat.
 */
export const HISTORY_PREFERENCES: Omit<PreferencesView, "strategy"> = {
  ...DEFAULT_PREFERENCES,
  ...{ maxPositions: 10, maxPositionValue: "10000", defaultOrderSize: "10000" },
};
/** Points of the small line. */
const MOST_POINTS = 60;

/** What 100 had become by the close of a session. */
export interface HistoryPoint {
  session: SessionDate;
  strategy: number;
  /** The index, dividends reinvested; null before it traded. */
  index: number | null;
}

/** What a strategy made of a market's past with HISTORY_PREFERENCES. Money in USD, ratios as fractions. */
export interface StrategyHistory {
  sessions: number;
  cash: DecimalText;
  finalEquity: DecimalText;
  totalReturn: number;
  /** ≤ 0, the starting cash included. */
  maxDrawdown: number;
  /** Round trips that came to an end. */
  trades: number;
  /** Of the trades that won or lost; null where none did. */
  winRate: number | null;
  /** Mean of positions over equity at the closes. */
  exposure: number;
  /** The index over the same sessions; null where it did not trade. */
  indexReturn: number | null;
  /** At most 60, the close before the first session and the last close among them. */
  points: HistoryPoint[];
}

/** At most so many places of a row, evenly apart, the first and the last among them. */
export function thinned(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: most }, (_, i) => Math.round((i * (count - 1)) / (most - 1)));
}

/** What is kept of a run as a strategy's history: its own statistics, and a small line. `before` is the session before its first. */
export function strategyHistory(result: BacktestResult, before: SessionDate): StrategyHistory {
  const { config, days } = result;
  const figures = statisticsOf(result, { count: 1, sharpes: [] });
  const known = (id: string) => {
    const value = valueOf(figures, id);
    if (value === null) throw new RangeError(`a run of ${days.length} sessions has no ${id}`);
    return value;
  };
  const cash = Number(config.cash);
  const scaled = (equity: number) => Math.round((1e6 * equity) / cash) / 1e4;
  const index = indexEquity(result);
  const line: HistoryPoint[] = [
    { session: before, strategy: 100, index: index[0] == null ? null : 100 },
    ...days.map(({ session, equity }, i) => ({
      session,
      strategy: scaled(Number(equity)),
      index: index[i] == null ? null : scaled(index[i]),
    })),
  ];
  return {
    sessions: days.length,
    cash: config.cash,
    finalEquity: days.at(-1)?.equity ?? config.cash,
    totalReturn: known("total_return"),
    maxDrawdown: known("max_drawdown"),
    trades: known("trades"),
    winRate: valueOf(figures, "win_rate"),
    exposure: known("mean_exposure"),
    indexReturn: valueOf(figures, "index_return"),
    points: thinned(line.length, MOST_POINTS).map((place) => line[place]!),
  };
}
