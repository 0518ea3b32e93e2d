import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import type { MarketHistory } from "@/lib/domain/backtest/history.ts";
import { indexHistory } from "@/lib/domain/backtest/market.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { generatedBars } from "./generated-bars.ts";
import { measure, type Timing } from "./timing.ts";

export interface BacktestBench extends Timing {
  symbolBars: number;
  orders: number;
}

/** Three years of random walks. Prices are in cents and volumes in whole shares, as on a tape. */
export function generatedHistory(symbols: number): MarketHistory {
  const sessions = sessionsBetween("2018-01-02", "2020-12-31");
  const inCents = (values: Float64Array) => values.map((value) => Math.round(value * 100) / 100);
  const bars = generatedBars(symbols, sessions.length, 9).map((series) => ({
    ...series,
    open: inCents(series.open),
    high: inCents(series.high),
    low: inCents(series.low),
    close: inCents(series.close),
    volume: series.volume.map(Math.round),
  }));
  return {
    name: "generated",
    sessions,
    symbols: bars.map((series, i) => ({
      ...series,
      symbol: i === 0 ? "SPY" : series.symbol,
      name: series.symbol,
      sector: i === 0 ? "ETF" : `Sector ${i % 11}`,
    })),
    splits: [],
    dividends: [],
    earnings: [],
    vix: sessions.map((date, i) => ({ date, close: 14 + 4 * Math.sin(i / 40) })),
  };
}

/** The first traded session. */
export const TRADED_FROM = "2019-01-02";

/** Two traded years after one year of history: features, screening, decisions with their log, and fills. */
export function benchBacktest(history: MarketHistory, rounds: number): BacktestBench {
  const index = indexHistory(history);
  const to = history.sessions.at(-1)!;
  let orders = 0;
  const timing = measure(rounds, () => {
    orders = runBacktest({
      index,
      policy: POLICY_2_9_0,
      preferences: {
        strategy: "MOMENTUM",
        riskTolerance: "MEDIUM",
        riskLevel: "MEDIUM",
        paperTradingOnly: true,
        defaultOrderSize: "5000",
        maxPositions: 20,
        maxPositionValue: "8000",
        profitTarget: "20",
        stopLoss: "8",
        checkInterval: 5,
      },
      cash: "100000",
      from: TRADED_FROM,
      to,
      seed: 1,
    }).orders.length;
  });
  return { ...timing, symbolBars: history.symbols.length * sessionsBetween(TRADED_FROM, to).length, orders };
}
