import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, type SessionDate } from "../time.ts";
import { POLICY_2_9_0 } from "../policy.ts";
import type { MarketHistory } from "./history.ts";
import { earningsAround, indexHistory } from "./market.ts";
import type { BacktestResult } from "./result.ts";
import {
  FIRST,
  markets,
  policy,
  randomMarket,
  run,
  SESSIONS,
  TIMEOUT_MS,
  unexplained,
} from "@/lib/proof/random-market.ts";
import { indexEquity } from "../statistics/statistics.ts";

/** The market with a symbol's prices divided by the ratio from a session on. */
function dividedFrom(market: MarketHistory, symbol: string, session: number, ratio: number): MarketHistory {
  const times = (values: Float64Array, factor: number) =>
    values.map((value, i) => (i >= session ? value * factor : value));
  const symbols = market.symbols.map((row) =>
    row.symbol === symbol
      ? {
          ...row,
          open: times(row.open, 1 / ratio),
          high: times(row.high, 1 / ratio),
          low: times(row.low, 1 / ratio),
          close: times(row.close, 1 / ratio),
          volume: times(row.volume, ratio),
        }
      : row,
  );
  return { ...market, symbols };
}

describe("a backtest by its rules", { timeout: TIMEOUT_MS }, () => {
  it.each([7, 1 / 7])("a jump of %d:1 that no split explains keeps its symbol out from that day on (W7)", (ratio) => {
    const market = randomMarket(7);
    const splits = new Set(market.splits.map(({ date, symbol }) => `${date} ${symbol}`));
    const entries = (of: BacktestResult) => of.orders.filter(({ purpose }) => purpose === "ENTRY");
    const first = entries(run(market, "MOMENTUM")).find(
      ({ session, symbol }) => session > SESSIONS[FIRST]! && !splits.has(`${session} ${symbol}`),
    )!;
    const { session, symbol } = first;
    const jumped = dividedFrom(market, symbol, SESSIONS.indexOf(session), ratio);
    const bought = (of: MarketHistory) =>
      entries(run(of, "MOMENTUM")).filter((order) => order.symbol === symbol && order.session >= session);
    expect(bought(jumped)).toEqual([]);
    // With its split reported the same day is none but a split.
    const split = { date: session, symbol, ratio: String(ratio) };
    expect(bought({ ...jumped, splits: [...market.splits, split] })[0]?.session).toBe(session);
  });

  it("a split and a dividend whose date has no session reach the account with the next one, as they reach the prices", () => {
    const market = randomMarket(7);
    const dayBefore = (date: SessionDate) => {
      const before = addDays(date, -1);
      return SESSIONS.includes(before) ? date : before;
    };
    const moved = {
      ...market,
      splits: market.splits.map((split) => ({ ...split, date: dayBefore(split.date) })),
      dividends: market.dividends.map((dividend) => ({ ...dividend, date: dayBefore(dividend.date) })),
    };
    expect(moved.splits).not.toEqual(market.splits);
    expect(run(moved, "MOMENTUM").days).toEqual(run(market, "MOMENTUM").days);
  });

  it("mean-reversion entries that are not touched end with their session, and their legs would not have", () => {
    const { orders } = run(randomMarket(3), "MEAN_REVERSION");
    const entries = orders.filter(({ purpose }) => purpose === "ENTRY");
    const cancelled = entries.filter(({ status }) => status === "CANCELLED");
    expect(cancelled.length).toBeGreaterThan(0);
    for (const { session, closedSession } of cancelled) expect(closedSession).toBe(session);
    for (const { timeInForce } of entries) expect(timeInForce).toBe("gtc");
  });

  it("exits that are decided are sold in the same session at the price after its open that the seed fixes", () => {
    const market = randomMarket(7);
    const { orders, fills } = run(market, "MOMENTUM");
    const exits = orders.filter(({ purpose, status }) => purpose === "EXIT" && status === "FILLED");
    expect(exits.length).toBeGreaterThan(0);
    let atOpen = 0;
    for (const { id, symbol, session } of exits) {
      const row = market.symbols.find((other) => other.symbol === symbol)!;
      const at = SESSIONS.indexOf(session);
      const [fill, ...others] = fills.filter(({ orderId }) => orderId === id);
      expect([fill?.session, fill?.side, others.length]).toEqual([session, "SELL", 0]);
      expect(Number(fill!.price)).toBeLessThanOrEqual(row.high[at]!);
      if (Number(fill!.price) === row.open[at]) atOpen++;
    }
    expect(atOpen).toBeLessThan(exits.length / 2);
  });

  it("an entry never fills above its limit, nor below the low of its session", () => {
    fc.assert(
      fc.property(markets, ({ seed, strategy }) => {
        const market = randomMarket(seed);
        const { orders, fills } = run(market, strategy);
        const limits = new Map(orders.map(({ id, limitPrice }) => [id, limitPrice]));
        const low = new Map(market.symbols.map((row) => [row.symbol, row.low]));
        for (const { orderId, side, price, symbol, session } of fills) {
          if (side !== "BUY") continue;
          // A split between order and fill divides the limit with the price.
          const isSplit = market.splits.some((split) => split.symbol === symbol);
          if (!isSplit) expect(Number(price)).toBeLessThanOrEqual(Number(limits.get(orderId)));
          expect(Number(price)).toBeGreaterThanOrEqual(low.get(symbol)![SESSIONS.indexOf(session)]!);
        }
      }),
      { numRuns: 5 },
    );
  });

  it.each(["MOMENTUM", "MEAN_REVERSION", "BREAKOUT"] as const)(
    "nothing is bought at or below its own stop, and no stop of an entry's own session is a gain (%s)",
    (strategy) => {
      let [bought, refused] = [0, 0];
      for (const seed of [1, 2, 3]) {
        const { orders, fills } = run(randomMarket(seed), strategy, { preferences: { stopLoss: "0.3" } });
        const stops = new Map(orders.map(({ id, stopLossPrice }) => [id, Number(stopLossPrice)]));
        refused += orders.filter(({ purpose, status }) => purpose === "ENTRY" && status === "REJECTED").length;
        for (const { orderId, side, price, session, reason } of fills) {
          if (side === "BUY") expect(Number(price)).toBeGreaterThan(stops.get(orderId)!);
          else if (reason === "protective_stop") {
            const entry = fills.find((fill) => fill.orderId === orderId && fill.side === "BUY");
            if (entry?.session === session) expect(Number(price)).toBeLessThan(Number(entry.price));
          }
          if (side === "BUY") bought += 1;
        }
      }
      expect([bought > 0, refused > 0]).toEqual([true, true]);
    },
  );

  it.each([5, 299])(
    "the opening price is as young as its decision: a greatest age of %i seconds refuses nothing",
    (age) => {
      const filters = { ...policy.pretrade_filters, max_quote_age_seconds: age };
      const of = (change: Parameters<typeof run>[2]) => {
        const { days, fills } = run(randomMarket(7), "MOMENTUM", change);
        return { fills: fills.length, stale: days.filter(({ refusals }) => refusals.data_stale !== undefined).length };
      };
      const usual = of({});
      expect(usual.fills).toBeGreaterThan(0);
      expect(of({ policy: { ...policy, pretrade_filters: filters } })).toEqual(usual);
    },
  );

  it("another seed is another course of the first minutes, the same seed the same", () => {
    const market = randomMarket(7);
    const prices = (seed: number) => run(market, "MOMENTUM", { seed }).fills.map(({ price }) => price);
    expect(prices(1)).toEqual(prices(1));
    expect(prices(2)).not.toEqual(prices(1));
  });

  it("the benchmarks are total returns over exactly the sessions, from the close before the first to the last", () => {
    const market = randomMarket(7);
    const dividends = [10, 200, FIRST, FIRST + 30].map((at) => ({ date: SESSIONS[at]!, symbol: "SPY", amount: "1.5" }));
    const result = run({ ...market, splits: [], dividends }, "MOMENTUM");
    const spy = market.symbols.find(({ symbol }) => symbol === "SPY")!.close;
    let worth = 1;
    for (let i = FIRST; i < SESSIONS.length; i++) {
      const paid = dividends.find(({ date }) => date === SESSIONS[i]);
      // Reinvested at the close before less the dividend, as CRSP does.
      worth *= spy[i]! / (spy[i - 1]! - (paid === undefined ? 0 : 1.5));
    }
    expect(indexEquity(result).at(-1)).toBeCloseTo(100_000 * worth, 4);
    const { date } = dividends[2]!;
    const [first] = result.days;
    expect(first!.session).toBe(date);
    expect(first!.indexReturn).toBeCloseTo(spy[FIRST]! / (spy[FIRST - 1]! - 1.5) - 1, 12);
    const day = SESSIONS.length - 1;
    const moves = market.symbols
      .filter(({ symbol, close }) => symbol !== "SPY" && !Number.isNaN(close[day]! + close[day - 1]!))
      .map(({ close }) => close[day]! / close[day - 1]! - 1)
      .filter((move) => Math.abs(move) < 0.4);
    const later = run(
      {
        ...market,
        splits: [],
        dividends,
        symbols: market.symbols.filter(
          ({ symbol, close }) => symbol === "SPY" || !Number.isNaN(close[day]! + close[day - 1]!),
        ),
      },
      "MOMENTUM",
    );
    const mean = moves.reduce((total, move) => total + move, 0) / moves.length;
    expect(later.days.at(-1)!.universeReturn).toBeCloseTo(mean, 12);
  });

  it("without the earnings gate entries pass on a market without a calendar, and the result says so", () => {
    const { fills, config } = run({ ...randomMarket(7), earnings: null }, "MOMENTUM", { isWithoutEarnings: true });
    expect(fills.length).toBeGreaterThan(0);
    expect(config.earningsGate).toBe("off");
    expect(run(randomMarket(7), "MOMENTUM").config.earningsGate).toBe("on");
  });

  it("the rotation trades every ten sessions at most, within its turnover cap, and every cent of it is explained", () => {
    const cadence = { ...policy.cadence, rotation_turnover_cap_pct: 12 };
    const rotated = run(randomMarket(7), "MOMENTUM", { hasRotation: true, policy: { ...policy, cadence } });
    const turns = [
      ...new Set(rotated.orders.filter(({ reason }) => reason === "rotation").map(({ session }) => session)),
    ];
    expect(turns.length).toBeGreaterThan(0);
    const places = turns.map((session) => SESSIONS.indexOf(session));
    expect(places.every((place) => (place - FIRST) % 10 === 0)).toBe(true);
    const equityOf = new Map(rotated.days.map(({ session, equity }) => [session, Number(equity)]));
    for (const session of turns) {
      const orders = rotated.orders.filter((order) => order.session === session && order.reason === "rotation");
      const traded = orders.reduce((total, { qty, decisionPrice }) => total + Number(qty) * Number(decisionPrice), 0);
      // Against the close, which the day has moved a little.
      expect(traded / 2 / equityOf.get(session)!).toBeLessThan(0.125);
    }
    expect(unexplained(rotated)).toBeLessThan(1e-6);
    expect(rotated.config.rotation).toBe("on");
    const plain = run(randomMarket(7), "MOMENTUM");
    expect(plain.orders.some(({ reason }) => reason === "rotation")).toBe(false);
    expect("rotation" in plain.config).toBe(false);
    expect(new Set(rotated.orders.map(({ id }) => id)).size).toBe(rotated.orders.length);
  });

  it("without an earnings calendar no entry passes, and the reason is counted", () => {
    const { fills, days } = run({ ...randomMarket(7), earnings: null }, "MOMENTUM");
    expect(fills).toEqual([]);
    expect(days.some(({ refusals }) => (refusals.earnings_blackout ?? 0) > 0)).toBe(true);
  });

  it("where reports are estimated, a session knows the filings before it alone, and no entry falls into the days of a report", () => {
    const days = ["2019-01-22", "2019-04-23", "2019-07-23", "2019-10-22"];
    const index = indexHistory({
      ...randomMarket(7),
      earnings: days.map((date) => ({ date, symbol: "AAA" })),
      areReportsEstimated: true,
    });
    expect(earningsAround(index, "2020-01-10", POLICY_2_9_0)("AAA")).toEqual({
      isKnown: true,
      next: null,
      last: "2019-10-22",
      estimate: { from: "2020-01-14", to: "2020-01-28" },
    });
    // Two filings of the year are too few, and what was filed later is not known yet.
    expect(earningsAround(index, "2019-07-23", POLICY_2_9_0)("AAA").isKnown).toBe(false);
    expect(earningsAround(index, "2020-01-10", POLICY_2_9_0)("BBB").isKnown).toBe(false);
  });

  it("without the index the regime is risk off and nothing is bought", () => {
    const market = randomMarket(7);
    const { days, fills } = run(
      { ...market, symbols: market.symbols.filter(({ symbol }) => symbol !== "SPY") },
      "MOMENTUM",
    );
    expect(new Set(days.map(({ regime }) => regime))).toEqual(new Set(["risk_off"]));
    expect(fills).toEqual([]);
  });

  it("once the hard drawdown line is passed, nothing is bought", () => {
    const limits = { ...policy.portfolio_limits, drawdown_soft: 0.01, drawdown_hard: 0.01 };
    const { halted, fills } = run(randomMarket(5), "MOMENTUM", { policy: { ...policy, portfolio_limits: limits } });
    expect(halted?.reason).toContain("a person must resume");
    expect(fills.some(({ side, session }) => side === "BUY" && session < halted!.session)).toBe(true);
    expect(fills.filter(({ side, session }) => side === "BUY" && session > halted!.session)).toEqual([]);
  });

  it("sessions that the market does not have are refused", () => {
    expect(() => run(randomMarket(1), "MOMENTUM", { to: "2031-01-02" })).toThrow(RangeError);
  });
});
