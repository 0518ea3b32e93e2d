import { describe, expect, it, vi } from "vitest";
import { isEarlyClose } from "../../domain/market-calendar.ts";
import { newYork } from "../../domain/time.ts";
import { scoreText } from "../vendors/sentiment.ts";
import { generateMarket } from "./generated.ts";
import { newsOf } from "./news.ts";
import { sessionsOf } from "./sessions.ts";
import type { Market } from "./source.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** All six: npm run prove -- markets. */
const SEEDS = [1, 2, 3, 4, 5, 6].slice(0, process.env.EVERY_MARKET === "1" ? 6 : 3);
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

  it("has a VIX that follows the volatility of the last month", () => {
    const returns = returnsOf(market, "SPY");
    const days = returns.map((_, i) => i).filter((i) => i >= 21);
    const realised = days.map((i) => Math.sqrt(mean(returns.slice(i - 21, i).map((r) => r * r)) * 252) * 100);
    const vix = days.map((i) => market.vix[i]?.close as number);
    const [a, b] = [standardised(realised), standardised(vix)];
    expect(mean(a.map((value, i) => value * (b[i] as number)))).toBeGreaterThan(0.7);
    // Fear is dearer than what comes of it, but not by much.
    expect(mean(vix) - mean(realised)).toBeGreaterThan(0);
    expect(mean(vix) - mean(realised)).toBeLessThan(8);
    expect(Math.min(...vix)).toBeGreaterThanOrEqual(9);
  });

  it("moves on earnings days, in the direction of the surprise", () => {
    const spy = returnsOf(market, "SPY");
    const usual: number[] = [];
    const moved: number[] = [];
    const signs: number[] = [];
    for (const symbol of market.symbols.filter((name, i) => name !== "SPY" && i % 5 === 0)) {
      const own = returnsOf(market, symbol).map((r, i) => r - (spy[i] as number));
      const reports = new Map(
        market.earnings
          .filter((report) => report.symbol === symbol)
          .map((report) => {
            const day = market.sessionIndex(report.date) as number;
            // What comes after the close moves the next session. Returns begin with the second session.
            return [
              report.hour === "amc" ? day : day - 1,
              (report.epsActual as number) - (report.epsEstimate as number),
            ];
          }),
      );
      for (const [i, move] of own.entries()) {
        const surprise = reports.get(i);
        (surprise === undefined ? usual : moved).push(Math.abs(move));
        if (surprise !== undefined && Math.abs(surprise) > 0.02)
          signs.push(Math.sign(move) === Math.sign(surprise) ? 1 : 0);
      }
    }
    expect(mean(moved)).toBeGreaterThan(2 * mean(usual));
    expect(mean(signs)).toBeGreaterThan(0.75);
  });

  it("has halts inside its sessions, most of them on violent days, and none in the index", () => {
    const perSession = market.halts.length / market.sessions.length;
    expect(perSession).toBeGreaterThan(0.1);
    expect(perSession).toBeLessThan(20);
    expect(new Set(market.halts.map(({ reason }) => reason))).toEqual(new Set(["volatility", "news"]));
    expect(market.halts.some(({ symbol }) => symbol === "SPY")).toBe(false);
    for (const { date, fromMinute, minutes } of market.halts) {
      expect(fromMinute).toBeGreaterThanOrEqual(10);
      expect(fromMinute + minutes).toBeLessThan(isEarlyClose(date) ? 210 : 390);
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

describe("news of the generated market", () => {
  const market = markets[0] as Market;
  const sessions = sessionsOf(market);
  const at = market.sessionIndex(START) as number;
  const items = Array.from({ length: 250 }, (_, i) => newsOf(market, sessions, at + i)).flat();

  it("come every day, good and bad, each with a stance that fits its words", () => {
    expect(items.length).toBeGreaterThan(250 * 3);
    const clear = items.filter(({ stance }) => Math.abs(stance) > 0.3);
    const wrong = clear.filter(({ stance, headline }) => Math.sign(scoreText(headline)) !== Math.sign(stance));
    expect(wrong.map(({ headline }) => headline)).toEqual([]);
    const good = clear.filter(({ stance }) => stance > 0).length / clear.length;
    expect(good).toBeGreaterThan(0.3);
    expect(good).toBeLessThan(0.7);
  });

  it("tell of an opening only after it, and of a close only after it", () => {
    for (const item of items) {
      const date = newYork(item.atMs).date;
      const { opensAtMs, closesAtMs } = sessions.hours(date);
      const isOfOpening = item.headline.includes("at the open");
      expect(item.atMs).toBeGreaterThan(isOfOpening ? opensAtMs : closesAtMs);
    }
  });

  it("have an id of their own, in order of time", () => {
    const ids = items.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
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
