import { describe, expect, it } from "vitest";
import { generateMarket } from "./generated.ts";
import type { Market } from "./source.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const START = "2024-01-08";
const THREE_YEARS = 756;

function closesOf(market: Market, symbol: string): number[] {
  return Array.from(market.series(symbol)?.close ?? []);
}

/** Daily log returns with splits taken out. */
function returnsOf(market: Market, symbol: string): number[] {
  const ratios = new Map(
    market.splits.filter((s) => s.symbol === symbol).map((s) => [market.sessionIndex(s.date), Number(s.ratio)]),
  );
  const closes = closesOf(market, symbol);
  return closes.slice(1).map((close, i) => Math.log((close * (ratios.get(i + 1) ?? 1)) / (closes[i] as number)));
}

function mean(values: number[]): number {
  return values.reduce((a, b) => a + b, 0) / values.length;
}

function standardised(values: number[]): number[] {
  const middle = mean(values);
  const deviation = Math.sqrt(mean(values.map((v) => (v - middle) ** 2)));
  return values.map((v) => (v - middle) / deviation);
}

function worstDrawdown(closes: number[]): number {
  let peak = 0;
  let worst = 0;
  for (const close of closes) {
    peak = Math.max(peak, close);
    worst = Math.max(worst, 1 - close / peak);
  }
  return worst;
}

const markets = SEEDS.map((seed) => {
  const market = generateMarket({ seed, start: START });
  market.extendTo("2029-12-31");
  return market;
});

describe.each(markets)("the generated market of seed $seed", (market) => {
  it("has an index volatility of 12 to 25 %", () => {
    const returns = returnsOf(market, "SPY");
    const middle = mean(returns);
    const volatility = Math.sqrt(mean(returns.map((r) => (r - middle) ** 2)) * 252);
    expect(volatility).toBeGreaterThan(0.12);
    expect(volatility).toBeLessThan(0.25);
  });

  it("has a mean pairwise correlation of 0.2 to 0.5", () => {
    const sample = market.symbols.filter((symbol, i) => symbol !== "SPY" && i % 12 === 0);
    const returns = sample.map((symbol) => standardised(returnsOf(market, symbol)));
    const correlations = returns.flatMap((a, i) =>
      returns.slice(0, i).map((b) => mean(a.map((v, k) => v * (b[k] as number)))),
    );
    expect(mean(correlations)).toBeGreaterThan(0.2);
    expect(mean(correlations)).toBeLessThan(0.5);
  });

  it("falls by a seventh or more within any three years", () => {
    const closes = closesOf(market, "SPY");
    for (let from = 0; from + THREE_YEARS <= closes.length; from += 21) {
      expect(worstDrawdown(closes.slice(from, from + THREE_YEARS))).toBeGreaterThan(1 / 7);
    }
  });

  it("is liquid, spread in price, and has events", () => {
    const at = market.sessionIndex(START) as number;
    const stocks = market.symbols.filter((symbol) => symbol !== "SPY");
    expect(stocks).toHaveLength(500);
    expect(new Set(stocks.map((symbol) => market.assets.get(symbol)?.sector)).size).toBe(11);
    const dollars = stocks.map(
      (symbol) => (market.series(symbol)?.close[at] ?? 0) * (market.series(symbol)?.volume[at] ?? 0),
    );
    expect(dollars.filter((value) => value >= 20e6).length).toBeGreaterThan(400);
    const prices = stocks.map((symbol) => market.series(symbol)?.close[at] as number).sort((a, b) => a - b);
    expect(prices[25]).toBeLessThan(50);
    expect(prices[475]).toBeGreaterThan(200);
    expect([market.splits.length, market.dividends.length, market.earnings.length].every((count) => count > 20)).toBe(
      true,
    );
  });
});

describe("the generated market", () => {
  it("is the same however far and in whichever steps it is extended", () => {
    const inSteps = generateMarket({ seed: 2, start: START });
    for (const date of ["2024-02-01", "2024-02-02", "2025-06-30", "2029-12-31"]) inSteps.extendTo(date);
    const atOnce = markets[1] as Market;
    expect(inSteps.symbols).toEqual(atOnce.symbols);
    expect(inSteps.splits).toEqual(atOnce.splits);
    expect(inSteps.vix).toEqual(atOnce.vix);
    for (const symbol of inSteps.symbols.slice(0, 40))
      expect(closesOf(inSteps, symbol)).toEqual(closesOf(atOnce, symbol));
  });

  it("has two years of history before its start and fear when it falls", () => {
    const market = markets[0] as Market;
    expect(market.sessionIndex(START)).toBeGreaterThanOrEqual(504);
    const moves = standardised(returnsOf(market, "SPY"));
    const changes = standardised(market.vix.slice(1).map((day, i) => day.close - (market.vix[i]?.close as number)));
    expect(mean(moves.map((move, i) => move * (changes[i] as number)))).toBeLessThan(-0.5);
  });
});
