import { existsSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { runBacktest } from "@/lib/domain/engine/backtest.ts";
import { type FeatureTable, prepareFeatures } from "@/lib/domain/engine/backtest-features.ts";
import { type HistoryIndex, indexHistory } from "@/lib/domain/engine/backtest-market.ts";
import type { BacktestResult } from "@/lib/domain/engine/backtest-result.ts";
import type { StrategyName } from "@/lib/domain/engine/plan.ts";
import { dailyReturns } from "@/lib/domain/engine/statistics.ts";
import { maxDrawdown, sharpe } from "@/lib/domain/metrics.ts";
import { readOptions } from "./options.ts";
import { readHistory, tradedSessions } from "./read-history.ts";

/** Pinned results on the S&P tape of 2019 and 2020, traded in 2020. A change of any decision or fill shows here. */

const TAPE = path.resolve(import.meta.dirname, "../../../../shared/market/sp500-2019-2020");

const GOLDEN: Record<StrategyName, { trades: number; equity: string; drawdown: string; sharpe: string }> = {
  MOMENTUM: { trades: 180, equity: "104010.05", drawdown: "-0.058889", sharpe: "0.7023" },
  MEAN_REVERSION: { trades: 103, equity: "100933.06", drawdown: "-0.010122", sharpe: "0.7776" },
  BREAKOUT: { trades: 33, equity: "99944.77", drawdown: "-0.037196", sharpe: "-0.0061" },
};
const STRATEGIES = Object.keys(GOLDEN) as StrategyName[];

let index: HistoryIndex;
let features: FeatureTable;
const results = new Map<StrategyName, BacktestResult>();

function run(strategy: StrategyName, market: HistoryIndex, table: FeatureTable, to: string): BacktestResult {
  const options = readOptions(["--tape", TAPE, "--strategy", strategy])!;
  const { policy, preferences, cash, seed } = options;
  const { from } = tradedSessions(market, policy.selector_top50.min_bars, { from: null, to: null });
  return runBacktest({ index: market, features: table, policy, preferences, cash, seed, from, to });
}

beforeAll(() => {
  if (!existsSync(TAPE)) throw new Error(`the market tape is missing: expected it at ${TAPE}`);
  index = readHistory(TAPE, 1);
  const last = index.history.sessions.length - 1;
  features = prepareFeatures(index, 252, last - 1);
  for (const strategy of STRATEGIES)
    results.set(strategy, run(strategy, index, features, index.history.sessions[last]!));
}, 60_000);

describe.each(STRATEGIES)("%s on the S&P tape", (strategy) => {
  it("has its pinned statistics", () => {
    const result = results.get(strategy)!;
    const equities = [Number(result.config.cash), ...result.days.map((day) => Number(day.equity))];
    expect({
      trades: result.trades.length,
      equity: Number(result.days.at(-1)!.equity).toFixed(2),
      drawdown: maxDrawdown(equities)?.toFixed(6),
      sharpe: sharpe(dailyReturns(result))?.toFixed(4),
    }).toEqual(GOLDEN[strategy]);
  });

  it("is risk off within two sessions of 25 February 2020, and holds at most a quarter through March", () => {
    const { days } = results.get(strategy)!;
    const start = days.findIndex(({ session }) => session === "2020-02-25");
    const turn = days.slice(start).findIndex(({ regime }) => regime === "risk_off");
    expect(turn).toBeGreaterThanOrEqual(0);
    expect(turn).toBeLessThanOrEqual(2);
    const after = days.slice(start + turn).filter(({ session }) => session < "2020-04-01");
    expect(after.length).toBeGreaterThan(20);
    for (const { session, exposure } of after) expect([session, exposure <= 0.25]).toEqual([session, true]);
  });

  it("explains every day's change of equity to the cent", () => {
    const { config, days } = results.get(strategy)!;
    let [before, unrealised] = [Number(config.cash), 0];
    for (const day of days) {
      const explained =
        Number(day.realised) + Number(day.unrealised) - unrealised + Number(day.dividends) - Number(day.fees);
      expect(Math.abs(Number(day.equity) - before - explained)).toBeLessThan(0.005);
      [before, unrealised] = [Number(day.equity), Number(day.unrealised)];
    }
  });
});

it("momentum is invested before the crash, so that the trim has something to sell", () => {
  const before = results.get("MOMENTUM")!.days.find(({ session }) => session === "2020-02-20");
  expect(before!.exposure).toBeGreaterThan(0.5);
});

it("a decision sees bars closed before its session and its opening prices, nothing else", () => {
  const whole = results.get("MOMENTUM")!;
  // A session on which something was decided.
  const until = whole.orders.find(({ session }) => session >= "2020-06-01")!.session;
  const last = index.sessionAt.get(until)!;
  const { history } = index;
  // Every later bar, and all of this session's but its open, is that of some other session: shifted, and nowhere near.
  const shifted = (values: Float64Array, from: number) =>
    values.map((value, i) => (i >= from ? values[i - 240]! * 1.7 : value));
  const changed = indexHistory({
    ...history,
    symbols: history.symbols.map((row) => ({
      ...row,
      open: shifted(row.open, last + 1),
      high: shifted(row.high, last),
      low: shifted(row.low, last),
      close: shifted(row.close, last),
      volume: shifted(row.volume, last),
    })),
  });
  const other = run("MOMENTUM", changed, prepareFeatures(changed, 252, last), history.sessions[last + 1]!);
  const decided = ({ orders, days }: BacktestResult) => ({
    lines: days.filter(({ session }) => session <= until).map(({ line }) => line),
    days: days.filter(({ session }) => session < until),
    orders: orders
      .filter(({ session }) => session <= until)
      .map(({ session, symbol, purpose, qty, limitPrice, stopLossPrice }) => [
        session,
        symbol,
        purpose,
        qty,
        limitPrice,
        stopLossPrice,
      ]),
  });
  expect(decided(other)).toEqual(decided(whole));
}, 60_000);
