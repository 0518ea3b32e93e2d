import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays } from "./time.ts";
import { mondayOf, weekAddress, weekFrom } from "./weeks.ts";

it.each([
  ["2026-11-16", "2026-11-16"],
  ["2026-11-20", "2026-11-16"],
  ["2026-11-21", "2026-11-16"],
  ["2026-11-22", "2026-11-16"],
  ["2026-11-23", "2026-11-23"],
  ["2026-01-01", "2025-12-29"],
])("%s lies in the week of %s", (date, monday) => {
  expect(mondayOf(date)).toBe(monday);
});

it("weeks follow each other without a gap and without a moment in common, clock changes included", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000 }), (weeks) => {
      const week = weekFrom(addDays("1990-01-01", 7 * weeks));
      expect(weekFrom(addDays(week.monday, 7)).from).toBe(week.to);
      expect([mondayOf(week.monday), mondayOf(week.friday)]).toEqual([week.monday, week.monday]);
    }),
  );
});

it.each([
  ["LIVE", weekFrom("2026-11-16").to, "/performance/week/2026-11-16?env=live"],
  // The practice market's time stops anywhere.
  ["PRACTICE", "2019-05-01T20:00:00.000Z", "/performance/week/2019-04-29?env=practice"],
] as const)("the page of a week of %s that ended at %s is %s", (environment, to, address) => {
  expect(weekAddress({ environment, to })).toBe(address);
});
