import { expect, it } from "vitest";
import { monthsBefore } from "./time.ts";

it.each([
  ["2020-03-31", 1, "2020-02-29"],
  ["2020-03-15", 3, "2019-12-15"],
  ["2020-02-29", 12, "2019-02-28"],
  ["2020-01-31", 1, "2019-12-31"],
])("%s, %i months before: %s", (date, months, expected) => {
  expect(monthsBefore(date, months)).toBe(expected);
});
