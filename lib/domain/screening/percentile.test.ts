import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { orderPlaces, percentileRanks, sortRoom } from "./percentile.ts";

function ranksOf(values: number[], winsor: number, room = sortRoom(values.length)): number[] {
  return [...percentileRanks(Float64Array.from(values), winsor, room, new Float64Array(values.length))];
}

describe("percentile ranks", () => {
  it("are (rank − 0.5)/n with average ties, and leave out what is missing", () => {
    expect(ranksOf([30, 10, 20, 20], 0)).toEqual([0.875, 0.125, 0.5, 0.5]);
    expect(ranksOf([1, Number.NaN, 2], 0)).toEqual([0.25, Number.NaN, 0.75]);
  });
  it("winsorising ties the outermost values", () => {
    const ranks = ranksOf(
      Array.from({ length: 300 }, (_, i) => i),
      0.01,
    );
    expect(ranks[0]).toBe(ranks[2]);
    expect(ranks[299]).toBe(ranks[297]);
    expect(ranks[150]).toBe(150.5 / 300);
  });
});

describe("ranking again", () => {
  /** Values of several days over the same places: ties, missing ones, small and large distances. */
  const days = fc.integer({ min: 1, max: 60 }).chain((places) =>
    fc.array(
      fc.array(
        fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ min: -1e6, max: 1e6 }), fc.constantFrom(-1e300, 1e300)),
        {
          minLength: places,
          maxLength: places,
        },
      ),
      { minLength: 1, maxLength: 5 },
    ),
  );

  it("gives the ranks of the sorted values, whatever was ranked before", () => {
    /** By definition: the mean of the ranks that a value, moved into the quantiles, shares. */
    const expected = (values: number[], winsor: number) => {
      const sorted = values.filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
      const quantile = (q: number) => {
        const place = (sorted.length - 1) * q;
        const low = sorted[Math.floor(place)]!;
        const high = sorted[Math.min(Math.floor(place) + 1, sorted.length - 1)]!;
        return low + (high - low) * (place - Math.floor(place));
      };
      const clamp = (value: number) => Math.min(quantile(1 - winsor), Math.max(quantile(winsor), value));
      const clamped = sorted.map(clamp);
      return values.map((value) => {
        if (Number.isNaN(value)) return value;
        const below = clamped.filter((other) => other < clamp(value)).length;
        const upTo = clamped.filter((other) => other <= clamp(value)).length;
        return ((below + 1 + upTo) / 2 - 0.5) / clamped.length;
      });
    };
    fc.assert(
      fc.property(days, fc.constantFrom(0, 0.01, 0.2), (rows, winsor) => {
        const room = sortRoom(rows[0]!.length);
        for (const row of rows) expect(ranksOf(row, winsor, room)).toEqual(expected(row, winsor));
      }),
    );
  });

  it("orders every place with a value once, ascending and ties by the rule, infinite ones at the ends", () => {
    const ends = fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 0);
    fc.assert(
      fc.property(days, ends, ends, (rows, first, last) => {
        const room = sortRoom(rows[0]!.length + 2);
        for (const row of rows) {
          const values = Float64Array.from([first, ...row, last]);
          const count = orderPlaces(values, room, (a, b) => b - a);
          const expected = Array.from(values, (_, place) => place).filter((place) => !Number.isNaN(values[place]));
          const byValue = (a: number, b: number) =>
            values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : b - a;
          expect([...room.order.subarray(0, count)]).toEqual(expected.sort(byValue));
        }
      }),
    );
  });

  it("of ascending and of descending values are each other's, also where one value lies far from the others", () => {
    const ascending = Array.from({ length: 500 }, (_, place) => (place === 499 ? 1e9 : place));
    const ranks = ranksOf(ascending, 0.01);
    const descending = ranksOf(ascending.toReversed(), 0.01);
    expect(descending).toEqual(ranks.toReversed());
    expect(ranks[250]).toBe(250.5 / 500);
  });
});
