import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minutePath, type MinutePath } from "./minute-path.ts";

function aggregate(path: MinutePath) {
  return {
    open: path.open[0],
    high: Math.max(...path.high),
    low: Math.min(...path.low),
    close: path.close[path.minutes - 1],
    volume: path.volume.reduce((a, b) => a + b, 0),
  };
}

/** A daily bar on a grid of two, three or four places. */
const dayBars = fc
  .record({
    places: fc.integer({ min: 2, max: 4 }),
    low: fc.integer({ min: 1, max: 5_000_000 }),
    range: fc.integer({ min: 0, max: 400_000 }),
    open: fc.double({ min: 0, max: 1, noNaN: true }),
    close: fc.double({ min: 0, max: 1, noNaN: true }),
    volume: fc.integer({ min: 0, max: 500_000_000 }),
  })
  .map(({ places, low, range, open, close, volume }) => {
    const price = (ticks: number) => ticks / 10 ** places;
    return {
      open: price(low + Math.round(open * range)),
      high: price(low + range),
      low: price(low),
      close: price(low + Math.round(close * range)),
      volume,
    };
  });

describe("the minute path", () => {
  it("aggregates back to its daily bar exactly, whatever the bar", () => {
    fc.assert(
      fc.property(dayBars, fc.integer(), fc.constantFrom(210, 390), (day, seed, minutes) => {
        const path = minutePath(seed, "AAPL", "2020-03-02", day, minutes);
        expect(aggregate(path)).toEqual(day);
        for (let i = 0; i < minutes; i += 1) {
          const [o, h, l, c] = [path.open[i], path.high[i], path.low[i], path.close[i]] as [
            number,
            number,
            number,
            number,
          ];
          if (h < Math.max(o, c) || l > Math.min(o, c))
            throw new Error(`minute ${i} is not a bar: ${o} ${h} ${l} ${c}`);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("aggregates back exactly with a halt in it, during which nothing trades", () => {
    const halt = fc.record({ fromMinute: fc.integer({ min: 1, max: 150 }), minutes: fc.integer({ min: 1, max: 59 }) });
    fc.assert(
      fc.property(dayBars, fc.integer(), halt, (day, seed, pause) => {
        const path = minutePath(seed, "AAPL", "2020-03-02", day, 390, pause);
        expect(path.minutes).toBe(390);
        expect(aggregate(path)).toEqual(day);
        const stood = path.close[pause.fromMinute - 1];
        for (let i = pause.fromMinute; i < pause.fromMinute + pause.minutes; i += 1)
          expect([path.volume[i], path.open[i], path.high[i], path.low[i], path.close[i]]).toEqual([
            0,
            stood,
            stood,
            stood,
            stood,
          ]);
      }),
      { numRuns: 50 },
    );
  });

  it("is the same for the same seed, and another for another seed, symbol or date", () => {
    const day = { open: 100, high: 104, low: 98, close: 103, volume: 1_000_000 };
    const closes = (seed: number, symbol: string, date: string) => [...minutePath(seed, symbol, date, day, 390).close];
    const first = closes(1, "AAPL", "2020-03-02");
    expect(closes(1, "AAPL", "2020-03-02")).toEqual(first);
    expect(closes(2, "AAPL", "2020-03-02")).not.toEqual(first);
    expect(closes(1, "MSFT", "2020-03-02")).not.toEqual(first);
    expect(closes(1, "AAPL", "2020-03-03")).not.toEqual(first);
  });

  it("trades most at the open and the close", () => {
    const day = { open: 100, high: 104, low: 98, close: 103, volume: 39_000_000 };
    const { volume } = minutePath(1, "AAPL", "2020-03-02", day, 390);
    const mean = (from: number, to: number) => volume.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
    expect(mean(0, 30)).toBeGreaterThan(1.5 * mean(165, 225));
    expect(mean(360, 390)).toBeGreaterThan(1.5 * mean(165, 225));
  });
});
