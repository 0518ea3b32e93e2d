import { beforeAll, describe, expect, it } from "vitest";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { type FeatureTable, prepareFeatures } from "@/lib/domain/backtest/features.ts";
import { type HistoryIndex, indexHistory } from "@/lib/domain/backtest/market.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import { dailyReturns } from "@/lib/domain/statistics/statistics.ts";
import type { StrategyName } from "@/lib/domain/enums.ts";
import { maxDrawdown, sharpe } from "@/lib/domain/metrics.ts";
import { POLICY_2_9_0 } from "@/lib/domain/policy.ts";
import { grossCap } from "@/lib/domain/risk/limits.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readOptions } from "@/lib/backtest/options.ts";
import { readHistory, tradedSessions } from "@/lib/backtest/read-history.ts";

interface Statistics {
  trades: number;
  equity: string;
  drawdown: string;
  sharpe: string;
}

export interface GoldenTape {
  name: string;
  directory: string;
  /** A change of any decision or fill shows here. `GOLDEN=print` prints the table as it is now. */
  pinned: Record<StrategyName, Statistics>;
  /** A session before the decline on which momentum is invested. */
  investedOn: SessionDate;
  /** The session of the decline from which the regime is risk off within two sessions, and until when it stays so. */
  riskOffFrom: SessionDate;
  riskOffUntil: SessionDate;
  /** Decisions on the first session with an order from here on are made again on a changed future. */
  decidedFrom: SessionDate;
}

function statisticsOf(result: BacktestResult): Statistics {
  const equities = [Number(result.config.cash), ...result.days.map((day) => Number(day.equity))];
  return {
    trades: result.trades.length,
    equity: Number(result.days.at(-1)!.equity).toFixed(2),
    drawdown: maxDrawdown(equities)?.toFixed(6) ?? "none",
    sharpe: sharpe(dailyReturns(result))?.toFixed(4) ?? "none",
  };
}

function run(
  tape: GoldenTape,
  strategy: StrategyName,
  market: HistoryIndex,
  features: FeatureTable,
  to: SessionDate,
): BacktestResult {
  const options = readOptions(["--tape", tape.directory, "--strategy", strategy])!;
  const { policy, preferences, cash, seed } = options;
  const { from } = tradedSessions(market, policy.selector_top50.min_bars, { from: null, to: null });
  return runBacktest({ index: market, features, policy, preferences, cash, seed, from, to });
}

/**
 * The history with another future: every later bar, and all of this session's but its open, is that of some other
 * session: shifted, and nowhere near.
 */
function withOtherFuture({ history }: HistoryIndex, session: number): HistoryIndex {
  const shifted = (values: Float64Array, from: number) =>
    values.map((value, i) => (i >= from ? values[i - 240]! * 1.7 : value));
  return indexHistory({
    ...history,
    symbols: history.symbols.map((row) => ({
      ...row,
      open: shifted(row.open, session + 1),
      high: shifted(row.high, session),
      low: shifted(row.low, session),
      close: shifted(row.close, session),
      volume: shifted(row.volume, session),
    })),
  });
}

/** What was decided until a session, and what had come of it before. */
function decidedUntil(until: SessionDate, { orders, days }: BacktestResult) {
  return {
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
  };
}

function proveStrategy(tape: GoldenTape, strategy: StrategyName, results: Map<StrategyName, BacktestResult>): void {
  it("has its pinned statistics", () => {
    expect(statisticsOf(results.get(strategy)!)).toEqual(tape.pinned[strategy]);
  });

  it(`is risk off within two sessions of ${tape.riskOffFrom}, and holds at most a quarter until ${tape.riskOffUntil}`, () => {
    const { days } = results.get(strategy)!;
    const start = days.findIndex(({ session }) => session === tape.riskOffFrom);
    const turn = days.slice(start).findIndex(({ regime }) => regime === "risk_off");
    expect(turn).toBeGreaterThanOrEqual(0);
    expect(turn).toBeLessThanOrEqual(2);
    const after = days.slice(start + turn).filter(({ session }) => session <= tape.riskOffUntil);
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
}

/** The three strategies on a tape: pinned statistics, and what holds whatever the statistics are. */
export function proveStrategies(tape: GoldenTape): void {
  const strategies = Object.keys(tape.pinned) as StrategyName[];
  let index: HistoryIndex;
  const results = new Map<StrategyName, BacktestResult>();

  beforeAll(() => {
    index = readHistory(tape.directory, 1);
    const last = index.history.sessions.length - 1;
    const features = prepareFeatures(index, 252, last - 1);
    for (const strategy of strategies)
      results.set(strategy, run(tape, strategy, index, features, index.history.sessions[last]!));
    if (process.env.GOLDEN === "print")
      console.log(strategies.map((name) => `${name}: ${JSON.stringify(statisticsOf(results.get(name)!))},`).join("\n"));
  }, 60_000);

  describe.each(strategies)(`%s on ${tape.name}`, (strategy) => proveStrategy(tape, strategy, results));

  it("every strategy enters and closes trades", () => {
    for (const strategy of strategies) {
      const { orders, trades } = results.get(strategy)!;
      expect([strategy, orders.some(({ purpose }) => purpose === "ENTRY"), trades.length > 0]).toEqual([
        strategy,
        true,
        true,
      ]);
    }
  });

  it("momentum is invested before the crash, so that the trim has something to sell", () => {
    const before = results.get("MOMENTUM")!.days.find(({ session }) => session === tape.investedOn);
    expect(before!.exposure).toBeGreaterThan(grossCap("risk_off", POLICY_2_9_0));
  });

  it("a decision sees bars closed before its session and its opening prices, nothing else", () => {
    const whole = results.get("MOMENTUM")!;
    // A session on which something was decided.
    const until = whole.orders.find(({ session }) => session >= tape.decidedFrom)!.session;
    const last = index.sessionAt.get(until)!;
    const changed = withOtherFuture(index, last);
    const otherFeatures = prepareFeatures(changed, 252, last);
    const other = run(tape, "MOMENTUM", changed, otherFeatures, index.history.sessions[last + 1]!);
    expect(decidedUntil(until, other)).toEqual(decidedUntil(until, whole));
  }, 60_000);
}
