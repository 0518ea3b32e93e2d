import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays, type SessionDate } from "../time.ts";
import { overlapOf, type Stretch, uncoveredOf } from "./uncovered.ts";

const stretch = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 }))
  .map(([from, days]): Stretch => ({ from: addDays("2026-01-01", from), to: addDays("2026-01-01", from + days) }));

function daysOf({ from, to }: Stretch): SessionDate[] {
  const days: SessionDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

it("what is covered and what is not are each wanted day once, in order", () => {
  fc.assert(
    fc.property(stretch, fc.option(stretch), (wanted, covered) => {
      const both = covered && overlapOf(wanted, covered);
      const parts = [...uncoveredOf(wanted, covered), ...(both ? [both] : [])];
      expect(parts.flatMap(daysOf).sort()).toEqual(daysOf(wanted));
      for (const part of uncoveredOf(wanted, covered)) if (covered) expect(overlapOf(part, covered)).toBe(null);
    }),
  );
});

it("a year before two kept ones is missing at its older end, and at its newer one where today was not read yet", () => {
  const kept = { from: "2024-08-18", to: "2026-11-23" };
  expect(uncoveredOf({ from: "2024-01-02", to: "2026-11-23" }, kept)).toEqual([
    { from: "2024-01-02", to: "2024-08-17" },
  ]);
  expect(uncoveredOf({ from: "2025-01-02", to: "2026-11-24" }, kept)).toEqual([
    { from: "2026-11-24", to: "2026-11-24" },
  ]);
  expect(uncoveredOf({ from: "2025-01-02", to: "2026-10-30" }, kept)).toEqual([]);
});
