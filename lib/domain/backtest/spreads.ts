import { maxDrawdown } from "../metrics.ts";
import type { DecimalText } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { BacktestResult } from "./result.ts";

/** The spreads that a run's fills are played at, as multiples of the policy's. */
export const SPREAD_MULTIPLES = [1, 2, 4] as const;

/**
 * What the run came to where its fills pay one spread. Decisions see the policy's own: a rule that refuses wide spreads
 * would else leave nothing to compare.
 */
export interface SpreadRun {
  multiple: number;
  /** Full quoted spread. */
  spreadBps: number;
  finalEquity: DecimalText;
  /** Fractions. */
  totalReturn: number;
  maxDrawdown: number;
  /** Round trips that were closed. */
  trips: number;
}

/** The policy at a multiple of its spread, and otherwise itself. */
export function atSpread(policy: Policy, multiple: number): Policy {
  const { orders_execution } = policy;
  return {
    ...policy,
    orders_execution: { ...orders_execution, default_spread_bps: multiple * orders_execution.default_spread_bps },
  };
}

export function spreadRunOf({ config, days, trades }: BacktestResult, policy: Policy, multiple: number): SpreadRun {
  const cash = Number(config.cash);
  const finalEquity = days.at(-1)?.equity ?? config.cash;
  return {
    multiple,
    spreadBps: atSpread(policy, multiple).orders_execution.default_spread_bps,
    finalEquity,
    totalReturn: Number(finalEquity) / cash - 1,
    maxDrawdown: maxDrawdown([cash, ...days.map(({ equity }) => Number(equity))]) ?? 0,
    trips: trades.length,
  };
}
