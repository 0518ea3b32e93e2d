import fc from "fast-check";
import { expect, it } from "vitest";
import { unexplainedJump, unreadSplit } from "./check-series.ts";
import type { BarSeries } from "./features.ts";

function seriesOf(closes: number[], openOf: (prior: number, i: number) => number = (prior) => prior): BarSeries {
  const open = Float64Array.from(closes, (close, i) => (i === 0 ? close : openOf(closes[i - 1] ?? close, i)));
  const close = Float64Array.from(closes);
  return {
    symbol: "ABC",
    dates: closes.map((_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10)),
    open,
    close,
    high: close.map((value, i) => Math.max(value, open[i] ?? value)),
    low: close.map((value, i) => Math.min(value, open[i] ?? value)),
    volume: new Float64Array(closes.length).fill(1_000),
  };
}

it("a fall of 75 % overnight that no split explains takes the symbol out (D5)", () => {
  const closes = [100, 101, 25, 25.5];
  const series = seriesOf(closes, (prior, i) => (i === 2 ? 25 : prior));
  expect(unexplainedJump(series, [])).toBe("the price jumped by -75 % into 2020-01-03 without a known split");
});

it("the same fall with its split known is no jump", () => {
  const series = seriesOf([100, 101, 25, 25.5], (prior, i) => (i === 2 ? 25.2 : prior));
  const split = { symbol: "ABC", date: "2020-01-03", kind: "split", value: 4 } as const;
  expect(unexplainedJump(series, [split])).toBeNull();
});

it("a reverse split that no source reports takes the symbol out, upwards", () => {
  const series = seriesOf([2, 2, 20, 20], (prior, i) => (i === 2 ? 20 : prior));
  expect(unexplainedJump(series, [])).toBe("the price jumped by +900 % into 2020-01-03 without a known split");
});

it("a jump older than the window that the features look at counts no more", () => {
  const closes = [100, 25, ...Array.from({ length: 253 }, () => 25)];
  expect(unexplainedJump(seriesOf(closes), [])).toBeNull();
});

it("moves as large as those of March 2020 are no data error", () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.55, max: 1.8, noNaN: true }), { minLength: 1, maxLength: 40 }),
      (ratios) => {
        const closes = [100];
        for (const ratio of ratios) closes.push(Math.min(1e6, Math.max(0.01, (closes.at(-1) ?? 100) * ratio)));
        const series = seriesOf(closes, (prior, i) => prior * (ratios[i - 1] ?? 1));
        expect(unexplainedJump(series, [])).toBeNull();
      },
    ),
  );
});

it("a split whose ratio cannot be read takes the symbol out for as long as the features look at it", () => {
  const series = seriesOf(Array.from({ length: 300 }, () => 100));
  const [outside, inside] = [series.dates.at(-253), series.dates.at(-252)];
  expect(unreadSplit(series, inside)).toBe(`the ratio of the split of ${inside} could not be read`);
  expect(unreadSplit(series, "2030-01-02")).toBe("the ratio of the split of 2030-01-02 could not be read");
  expect(unreadSplit(series, outside)).toBeNull();
  expect(unreadSplit(series, undefined)).toBeNull();
});
