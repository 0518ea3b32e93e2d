import { expect, it } from "vitest";
import { rangeOf, startOf } from "./ranges.ts";

it.each([
  ["today", "2018-02-06", "2018-02-06"],
  ["week", "2018-02-05", "2018-02-05"],
  ["week", "2018-02-09", "2018-02-05"],
  ["week", "2018-02-11", "2018-02-05"],
  ["week", "2018-03-02", "2018-02-26"],
  ["month", "2018-02-28", "2018-02-01"],
  ["all", "2018-02-06", ""],
] as const)("%s of %s begins on %s", (range, today, start) => expect(startOf(range, today)).toBe(start));

it("dates are the range that gave them, and none with an end or another start", () => {
  const today = "2018-02-07";
  for (const range of ["today", "week", "month", "all"] as const)
    expect(rangeOf({ startDate: startOf(range, today), endDate: "" }, today)).toBe(range);
  expect(rangeOf({ startDate: "2018-02-02", endDate: "" }, today)).toBe("");
  expect(rangeOf({ startDate: "", endDate: today }, today)).toBe("");
});
