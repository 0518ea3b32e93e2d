import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, DAY_MS, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { partsOf, type Stretch } from "./period-parts.ts";

const at = (day: string, hour = 0, minute = 0) => new Date(newYorkInstant(day, hour, minute));

describe("a period is cut into", () => {
  it.each([
    [
      "nothing open: all years",
      { from: null, before: null },
      { years: { from: null, before: null }, days: [], ends: [] },
    ],
    [
      "one day: that day",
      { from: at("2020-03-08"), before: at("2020-03-09") },
      { years: null, days: [{ from: "2020-03-08", before: "2020-03-09" }], ends: [] },
    ],
    [
      "a year: itself",
      { from: at("2020-01-01"), before: at("2021-01-01") },
      { years: { from: "2020-01-01", before: "2021-01-01" }, days: [], ends: [] },
    ],
    [
      "an open end: years after the days of the first",
      { from: at("2019-11-03"), before: null },
      { years: { from: "2020-01-01", before: null }, days: [{ from: "2019-11-03", before: "2020-01-01" }], ends: [] },
    ],
    [
      "an open start: years before the days of the last, and its last hours",
      { from: null, before: at("2020-02-03", 10, 30) },
      {
        years: { from: null, before: "2020-01-01" },
        days: [{ from: "2020-01-01", before: "2020-02-03" }],
        ends: [{ from: at("2020-02-03"), before: at("2020-02-03", 10, 30) }],
      },
    ],
    [
      "hours within a day: themselves",
      { from: at("2020-02-03", 9, 30), before: at("2020-02-03", 16) },
      { years: null, days: [], ends: [{ from: at("2020-02-03", 9, 30), before: at("2020-02-03", 16) }] },
    ],
    [
      "hours around a midnight: themselves",
      { from: at("2020-02-03", 9, 30), before: at("2020-02-04", 9, 30) },
      { years: null, days: [], ends: [{ from: at("2020-02-03", 9, 30), before: at("2020-02-04", 9, 30) }] },
    ],
  ])("%s", (_, period, parts) => {
    expect(partsOf(period)).toEqual(parts);
  });

  it("parts that hold each moment of it exactly once, and no other moment, also where the clocks change", () => {
    const clockChanges = ["2019-03-10", "2019-11-03", "2020-03-08", "2020-11-01", "2019-12-31", "2020-01-01"];
    const moment = fc
      .tuple(
        fc.oneof(
          fc.constantFrom(...clockChanges),
          fc.integer({ min: -900, max: 900 }).map((n) => addDays("2020-01-01", n)),
        ),
        fc.oneof(fc.constant(0), fc.integer({ min: 0, max: DAY_MS })),
      )
      .map(([day, ms]) => new Date(at(day).getTime() + ms));
    const isIn = <T extends string | Date>(value: T, { from, before }: Stretch<T>) =>
      (from === null || value >= from) && (before === null || value < before);
    fc.assert(
      fc.property(
        fc.option(moment, { nil: null }),
        fc.option(moment, { nil: null }),
        fc.array(moment, { minLength: 5 }),
        (from, before, moments) => {
          fc.pre(from === null || before === null || from < before);
          const { years, days, ends } = partsOf({ from, before });
          const edges = [from, before].flatMap((edge) =>
            edge ? [-1, 0, 1].map((ms) => new Date(edge.getTime() + ms)) : [],
          );
          for (const one of [...moments, ...edges]) {
            const day = newYork(one).date;
            const holders = [
              ...(years && isIn(`${day.slice(0, 4)}-01-01`, years) ? ["year"] : []),
              ...days.filter((stretch) => isIn(day, stretch)),
              ...ends.filter((stretch) => isIn(one, stretch)),
            ];
            expect(holders.length, one.toISOString()).toBe(isIn(one, { from, before }) ? 1 : 0);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
