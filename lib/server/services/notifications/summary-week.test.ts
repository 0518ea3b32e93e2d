import { expect, it } from "vitest";
import { summaryWeek } from "./summary-week.ts";

it.each([
  ["Friday evening", "2026-11-20T23:00:00-05:00", null],
  ["Saturday before eight", "2026-11-21T07:59:59-05:00", null],
  ["Saturday at eight", "2026-11-21T08:00:00-05:00", "2026-11-21"],
  ["Sunday night", "2026-11-22T23:59:00-05:00", "2026-11-21"],
  ["Monday before eight", "2026-11-23T07:59:59-05:00", "2026-11-21"],
  ["Monday at eight", "2026-11-23T08:00:00-05:00", null],
  ["Saturday after the clocks went back", "2026-11-07T08:00:00-05:00", "2026-11-07"],
  ["Saturday of summer time", "2026-07-04T08:00:00-04:00", "2026-07-04"],
  ["Saturday at the turn of the year", "2027-01-02T08:00:00-05:00", "2027-01-02"],
])("%s in New York: a summary of the week to %s", (_, at, weekEnd) => {
  expect(summaryWeek(new Date(at))?.weekEnd ?? null).toBe(weekEnd);
});

it("a week goes from midnight to midnight in New York, also where the clocks change in it", () => {
  expect(summaryWeek(new Date("2026-11-07T15:00:00Z"))).toEqual({
    weekEnd: "2026-11-07",
    from: "2026-10-31T04:00:00.000Z",
    to: "2026-11-07T05:00:00.000Z",
  });
});

it("weeks follow each other without a gap", () => {
  const [first, second] = ["2026-11-14T15:00:00Z", "2026-11-21T15:00:00Z"].map((at) => summaryWeek(new Date(at)));
  expect(first?.to).toBe(second?.from);
});
