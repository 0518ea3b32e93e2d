/** Markets made at random, and backtests on them. Only tests import it. */
import fc from "fast-check";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import type { MarketHistory, HistorySymbol } from "@/lib/domain/backtest/history.ts";
import { indexHistory } from "@/lib/domain/backtest/market.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import type { StrategyName } from "@/lib/domain/enums.ts";
import { sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { type Policy, POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { exampleAccount } from "./example-market.ts";

export const SESSIONS = sessionsBetween("2019-01-02", "2020-04-30");
/** The first session that a backtest decides in: those before it are the history of its features. */
export const FIRST = 254;
/** Properties fold many markets: on a busy machine that takes its time. */
export const TIMEOUT_MS = 60_000;
const SYMBOLS = ["AAA", "BBB", "CCC", "DDD", "EEE", "FFF", "GGG", "HHH"];

/** Everything that a handful of made-up symbols cannot reach is opened wide, so that small markets trade. */
export const policy: Policy = {
  ...POLICY_2_9_0,
  selector_top50: { ...POLICY_2_9_0.selector_top50, min_adv: 0, min_sectors: 1 },
  signals_confidence: {
    ...POLICY_2_9_0.signals_confidence,
    min_confidence: 0,
    min_families: 0,
    momentum_enter_percentile: 20,
    momentum_keep_percentile: 10,
    reversion_min_adv: 0,
    reversion_rsi: 50,
    breakout_volume_ratio: 0.5,
    breakout_adx: 5,
  },
};

/** Numbers from 0 to 1; the same seed gives the same ones. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/** A rising market with noise, gaps in the record, splits and dividends; the same seed gives the same one. */
export function randomMarket(seed: number): MarketHistory {
  const random = randomFrom(seed);
  const splits: MarketHistory["splits"] = [];
  const dividends: MarketHistory["dividends"] = [];
  const symbols = [...SYMBOLS, "SPY"].map((symbol): HistorySymbol => {
    const empty = () => new Float64Array(SESSIONS.length).fill(Number.NaN);
    const row = { open: empty(), high: empty(), low: empty(), close: empty(), volume: empty() };
    let price = 20 + random() * 200;
    const cent = (value: number) => Math.max(0.01, Math.round(value * 100) / 100);
    const calm = symbol === "SPY" ? 0.2 : 1;
    for (let i = 0; i < SESSIONS.length; i++) {
      if (symbol !== "SPY" && i > FIRST && random() < 0.03) {
        const ratio = ["2", "0.5", "1.062", "3"][Math.floor(random() * 4)]!;
        splits.push({ date: SESSIONS[i]!, symbol, ratio });
        price /= Number(ratio);
      }
      if (symbol !== "SPY" && random() < 0.02) dividends.push({ date: SESSIONS[i]!, symbol, amount: "0.25" });
      const open = price * (1 + (random() - 0.5) * 0.03 * calm);
      const close = open * (1 + (random() - 0.47) * 0.04 * calm);
      const wide = Math.abs(open) * random() * 0.02 * calm;
      price = close;
      if (symbol !== "SPY" && random() < 0.02) continue;
      row.open[i] = cent(open);
      row.close[i] = cent(close);
      row.high[i] = cent(Math.max(open, close) + wide);
      row.low[i] = cent(Math.min(open, close) - wide);
      row.volume[i] = 1e5 + Math.floor(random() * 1e6);
    }
    return { symbol, name: symbol, sector: symbol === "SPY" ? "ETF" : `Sector ${symbol.charCodeAt(0) % 3}`, ...row };
  });
  return {
    name: `random ${seed}`,
    sessions: SESSIONS,
    symbols,
    splits,
    dividends,
    earnings: [],
    vix: SESSIONS.map((date) => ({ date, close: 13 })),
  };
}

/** A backtest with a strategy, from the first session that has features on. */
export function run(
  market: MarketHistory,
  strategy: StrategyName,
  change: {
    policy?: Policy;
    to?: string;
    seed?: number;
    isWithoutEarnings?: boolean;
    hasRotation?: boolean;
    preferences?: Partial<PreferencesView>;
  } = {},
) {
  return runBacktest({
    index: indexHistory(market),
    policy: change.policy ?? policy,
    preferences: {
      ...exampleAccount().preferences,
      strategy,
      defaultOrderSize: "20000",
      maxPositionValue: "20000",
      maxPositions: 6,
      ...change.preferences,
    },
    cash: "100000",
    from: SESSIONS[FIRST]!,
    to: change.to ?? SESSIONS.at(-1)!,
    seed: change.seed ?? 1,
    isWithoutEarnings: change.isWithoutEarnings ?? false,
    hasRotation: change.hasRotation ?? false,
  });
}

export const markets = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  strategy: fc.constantFrom<StrategyName>("MOMENTUM", "MEAN_REVERSION", "BREAKOUT"),
});

/** Largest amount by which a day's change of equity is not explained, USD. */
export function unexplained({ config, days }: BacktestResult): number {
  let before: Money = money(config.cash);
  let unrealised: Money = money(0);
  let worst = 0;
  for (const day of days) {
    const explained = money(day.realised)
      .plus(money(day.unrealised).minus(unrealised))
      .plus(day.dividends)
      .minus(day.fees)
      .plus(day.flows);
    worst = Math.max(worst, money(day.equity).minus(before).minus(explained).abs().toNumber());
    before = money(day.equity);
    unrealised = money(day.unrealised);
  }
  return worst;
}
