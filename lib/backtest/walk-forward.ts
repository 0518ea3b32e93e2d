import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { dailyReturns, sharpeAfterTrials } from "@/lib/domain/statistics/statistics.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { sharpe } from "@/lib/domain/metrics.ts";
import type { SessionDate } from "@/lib/domain/time.ts";

export interface Window {
  train: { from: SessionDate; to: SessionDate };
  test: { from: SessionDate; to: SessionDate };
}

/** Windows that step by the test length, so that every test session is traded once; the last test may be shorter. */
export function walkForwardWindows(
  sessions: readonly SessionDate[],
  { train, test }: { train: number; test: number },
): Window[] {
  if (sessions.length <= train)
    throw new Failure(
      "invalid_input",
      `--walk-forward trains on ${train} sessions, but only ${sessions.length} are traded: nothing is left to test on.`,
    );
  const windows: Window[] = [];
  for (let start = 0; start + train < sessions.length; start += test) {
    const last = Math.min(start + train + test, sessions.length) - 1;
    windows.push({
      train: { from: sessions[start]!, to: sessions[start + train - 1]! },
      test: { from: sessions[start + train]!, to: sessions[last]! },
    });
  }
  return windows;
}

/** The training run with the best deflated Sharpe ratio among its peers; ties: Sharpe ratio, then the earlier point. 0-based. */
export function bestPoint(results: readonly BacktestResult[]): number {
  const returns = results.map(dailyReturns);
  const ratios = returns.map((values) => sharpe(values));
  const trials = { count: results.length, sharpes: ratios.filter((value) => value !== null) };
  const scores = returns.map((values) => sharpeAfterTrials(values, trials) ?? -1);
  let best = 0;
  for (let i = 1; i < results.length; i++) {
    const isBetter = scores[i]! > scores[best]!;
    const isEqualButSharper = scores[i] === scores[best] && (ratios[i] ?? -Infinity) > (ratios[best] ?? -Infinity);
    if (isBetter || isEqualButSharper) best = i;
  }
  return best;
}

/**
 * Out-of-sample runs joined to one: each began with the equity of the one before and without positions, so what a window
 * still held leaves the account at its last close: in the equity alone.
 */
export function stitch(parts: readonly BacktestResult[]): BacktestResult {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError("nothing to join");
  let peak = Number(first.config.cash);
  const days = parts
    .flatMap((part) => part.days)
    .map((day) => {
      peak = Math.max(peak, Number(day.equity));
      return { ...day, drawdown: Number(day.equity) / peak - 1 };
    });
  return {
    ...first,
    config: { ...first.config, to: last.config.to },
    days,
    orders: parts.flatMap((part) => part.orders),
    fills: parts.flatMap((part) => part.fills),
    trades: parts.flatMap((part) => part.trades),
    openPositions: last.openPositions,
    halted: parts.find(({ halted }) => halted !== null)?.halted ?? null,
  };
}
