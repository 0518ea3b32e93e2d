import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { money, sum } from "../money.ts";
import { computeFeatures, plainRow } from "../screening/compute-features.ts";
import { featuresAt, prepareFeatures } from "./features.ts";
import { indexHistory } from "./market.ts";
import type { BacktestResult } from "./result.ts";
import {
  FIRST,
  markets,
  randomFrom,
  randomMarket,
  run,
  SESSIONS,
  TIMEOUT_MS,
  unexplained,
} from "@/lib/proof/random-market.ts";

describe("a backtest on random markets", { timeout: TIMEOUT_MS }, () => {
  it("trades, so that the properties below say something", () => {
    for (const strategy of ["MOMENTUM", "MEAN_REVERSION", "BREAKOUT"] as const) {
      const { trades, fills } = run(randomMarket(7), strategy);
      expect(trades.length).toBeGreaterThan(5);
      expect(fills.length).toBeGreaterThan(trades.length);
    }
  });

  it("every day's change of equity is explained to the cent", () => {
    fc.assert(
      fc.property(markets, ({ seed, strategy }) => {
        expect(unexplained(run(randomMarket(seed), strategy))).toBeLessThan(0.005);
      }),
      { numRuns: 10 },
    );
  });

  it("cash is conserved, and a backtest never borrows", () => {
    fc.assert(
      fc.property(markets, ({ seed, strategy }) => {
        const { config, days, fills } = run(randomMarket(seed), strategy);
        const flows = fills.map(({ side, qty, price, spreadCost, impactCost, fees }) => {
          const value = money(qty).times(price);
          return (side === "BUY" ? value.negated() : value).minus(spreadCost).minus(impactCost).minus(fees);
        });
        const dividends = sum(days.map((day) => money(day.dividends)));
        const expected = money(config.cash).plus(sum(flows)).plus(dividends);
        expect(expected.minus(days.at(-1)!.cash).abs().toNumber()).toBeLessThan(0.005);
        for (const { cash } of days) expect(Number(cash)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 6 },
    );
  });

  it("the same input gives the same result, in whatever order the symbols come", () => {
    fc.assert(
      fc.property(markets, ({ seed, strategy }) => {
        const market = randomMarket(seed);
        const once = run(market, strategy);
        expect(run({ ...market, symbols: [...market.symbols].reverse() }, strategy)).toEqual(once);
      }),
      { numRuns: 3 },
    );
  });

  it("a decision sees bars closed before its session and its opening prices, nothing else", () => {
    fc.assert(
      fc.property(markets, fc.integer({ min: FIRST + 5, max: SESSIONS.length - 2 }), ({ seed, strategy }, last) => {
        const market = randomMarket(seed);
        const noise = randomFrom(seed + 1);
        const changed = market.symbols.map((row) => {
          const other = { ...row };
          for (const name of ["open", "high", "low", "close", "volume"] as const) {
            const from = name === "open" ? last + 1 : last;
            other[name] = row[name].map((value, i) => (i >= from ? value * (0.5 + noise()) : value));
          }
          return other;
        });
        const until = SESSIONS[last]!;
        const known = ({ days, orders, fills, trades }: BacktestResult) => ({
          days: days.filter(({ session }) => session < until),
          lines: days.filter(({ session }) => session <= until).map(({ line, refusals }) => ({ line, refusals })),
          // What became of an order later is of later.
          orders: orders
            .filter(({ session }) => session <= until)
            .map(({ status, closedSession, ...order }) =>
              closedSession !== null && closedSession < until ? { ...order, status, closedSession } : order,
            ),
          fills: fills.filter(({ session }) => session < until),
          trades: trades.filter(({ closed }) => closed < until),
        });
        const before = known(run(market, strategy));
        expect(before.lines.length).toBe(last - FIRST + 1);
        expect(known(run({ ...market, symbols: changed }, strategy))).toEqual(before);
      }),
      { numRuns: 5 },
    );
  });

  it("features prepared in one pass equal those that a live session computes on the bars up to it, bit for bit", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const market = randomMarket(seed);
        const index = indexHistory(market);
        const table = prepareFeatures(index, 0, SESSIONS.length - 1);
        for (const row of market.symbols) {
          for (let session = 25; session < SESSIONS.length; session += 23) {
            const at = SESSIONS.flatMap((_, i) => (i <= session && !Number.isNaN(row.close[i]!) ? [i] : []));
            const pick = (values: Float64Array) => Float64Array.from(at, (i) => values[i]!);
            const bars = {
              symbol: row.symbol,
              dates: at.map((i) => SESSIONS[i]!),
              open: pick(row.open),
              high: pick(row.high),
              low: pick(row.low),
              close: pick(row.close),
              volume: pick(row.volume),
            };
            const [live] = computeFeatures([bars], (symbol) => index.events.get(symbol) ?? []);
            const expected = at.at(-1) === session ? live : null;
            // toStrictEqual compares with Object.is: no digit may differ.
            const ofTable = featuresAt(table, row.symbol, session);
            expect(ofTable && plainRow(ofTable)).toStrictEqual(expected);
          }
        }
      }),
      { numRuns: 3 },
    );
  });
});
