import fc from "fast-check";
import { expect, it } from "vitest";
import type { BarSeries } from "../screening/features.ts";
import { addDays } from "../time.ts";
import { barsBetween, openUnpack, packBars } from "./pack.ts";

const dollars = fc.integer({ min: 1, max: 90_000_000 }).map((cents) => Number((cents / 100).toFixed(2)));
const subPennies = fc.integer({ min: 1, max: 2_000_000_000 }).map((part) => Number((part / 10_000).toFixed(4)));
const anyPrice = fc.double({ min: 1e-9, max: 1e7, noNaN: true });
const shares = fc.integer({ min: 0, max: 2_000_000_000 });
const manyShares = fc.double({ min: 0, max: 1e12, noNaN: true });

const series = fc
  .array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 })
  .chain((gaps) => {
    const column = (...kinds: fc.Arbitrary<number>[]) =>
      fc
        .oneof(...kinds.map((kind) => fc.array(kind, { minLength: gaps.length, maxLength: gaps.length })))
        .map((values) => Float64Array.from(values));
    const price = column(dollars, subPennies, anyPrice);
    const volume = column(shares, manyShares);
    let day = "2018-02-27";
    const dates = gaps.map((gap) => (day = addDays(day, gap)));
    return fc
      .record({ open: price, high: price, low: price, close: price, volume })
      .map((columns) => ({ dates, columns }));
  })
  .map(({ dates, columns }): BarSeries => ({ symbol: "AAA", dates, ...columns }));

it("what is read of a pack are the very numbers that were packed, in reused arrays as in new ones", () => {
  const again = openUnpack();
  fc.assert(
    fc.property(series, (bars) => {
      expect(openUnpack()("AAA", packBars(bars))).toEqual(bars);
      expect(again("AAA", packBars(bars))).toEqual(bars);
    }),
  );
});

it("cents and shares take half of what doubles take", () => {
  const dates = Array.from({ length: 570 }, (_, i) => addDays("2018-01-02", i));
  const cents = Float64Array.from(dates, (_, i) => Number((100 + i / 100).toFixed(2)));
  const thirds = cents.map((value) => value / 3);
  const of = (price: Float64Array) =>
    packBars({ symbol: "A", dates, open: price, high: price, low: price, close: price, volume: cents.map(Math.round) });
  expect(of(cents).length).toBeLessThan(22.1 * 570);
  expect(of(thirds).length).toBeGreaterThan(37 * 570);
});

it("bytes that are no whole pack give nothing", () => {
  fc.assert(
    fc.property(series, fc.nat(), fc.uint8Array({ maxLength: 600 }), (bars, at, noise) => {
      const pack = packBars(bars);
      expect(openUnpack()("AAA", pack.subarray(0, at % pack.length))).toBeNull();
      expect(openUnpack()("AAA", Uint8Array.from([...pack, 0]))).toBeNull();
      expect(openUnpack()("AAA", noise)).toBeNull();
      const doubled = pack.slice();
      doubled[4] = doubled[4]! + 8;
      expect(openUnpack()("AAA", doubled)).toBeNull();
    }),
  );
});

it("a cut takes the sessions between two days, both included", () => {
  const values = Float64Array.from([1, 2, 3, 4]);
  const bars = {
    symbol: "A",
    dates: ["2020-01-02", "2020-01-03", "2020-01-06", "2020-01-07"],
    open: values,
    high: values,
    low: values,
    close: values,
    volume: values,
  };
  expect(barsBetween(bars, "2020-01-03", "2020-01-06").dates).toEqual(["2020-01-03", "2020-01-06"]);
  expect([...barsBetween(bars, "2020-01-04", "2020-01-06").close]).toEqual([3]);
  expect(barsBetween(bars, "2021-01-01", "2021-02-01").dates).toEqual([]);
});
