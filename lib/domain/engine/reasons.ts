/** Closed sets of reasons. A refused order is a decision with a reason from here, never an error. */
import { STRATEGY_NAMES, type StrategyName } from "../enums.ts";
import { STRATEGIES } from "../strategies/strategies.ts";

/** The market's regime within a sentence. */
export const REGIME_TEXT = { risk_on: "risk on", neutral: "neutral", risk_off: "risk off" } as const;

/** Why a position is reduced or closed (engine.md §10, in order of priority). */
export const EXIT_REASONS = [
  "kill_flatten",
  "protective_stop",
  "trailing_stop",
  "time_stop",
  "momentum_faded",
  "trend_broken",
  "mean_reverted",
  "channel_broken",
  "regime_trim",
  "profit_target",
  "protect_position",
  "rotation",
  "sold_by_hand",
] as const;
export type ExitReason = (typeof EXIT_REASONS)[number];

/** Why a position is opened: "entry_momentum". */
export type EntryReason = `entry_${Lowercase<StrategyName>}`;

export function entryReason(strategy: StrategyName): EntryReason {
  return `entry_${strategy.toLowerCase() as Lowercase<StrategyName>}`;
}

/** For people. */
export const REASON_TEXT: Record<ExitReason | EntryReason | "broker_books", string> = {
  ...(Object.fromEntries(
    STRATEGY_NAMES.map((strategy) => [entryReason(strategy), `${STRATEGIES[strategy].label} entry`]),
  ) as Record<EntryReason, string>),
  kill_flatten: "Kill switch: flatten",
  protective_stop: "Protective stop",
  trailing_stop: "Trailing stop",
  time_stop: "Time stop",
  momentum_faded: "Momentum faded",
  trend_broken: "Trend broken",
  mean_reverted: "Mean reverted",
  channel_broken: "Channel broken",
  regime_trim: "Regime turned: exposure trimmed",
  profit_target: "Profit target",
  protect_position: "Protective order placed",
  rotation: "Rotation",
  sold_by_hand: "Sold by you",
  broker_books: "Taken over from the broker's books",
};
