import { expect, it } from "vitest";
import { startDateOf } from "./periods.ts";

it("periods start on New York dates of market time, after the close that their P&L counts from", () => {
  const lateEvening = "2020-03-04T02:00:00.000Z"; // still 3 March in New York
  expect(startDateOf("day", lateEvening)).toBe("2020-03-03");
  expect(startDateOf("week", lateEvening)).toBe("2020-02-26");
  expect(startDateOf("month", lateEvening)).toBe("2020-02-04");
  expect(startDateOf("total", lateEvening)).toBeUndefined();
});

it("a month back from a long month begins after the shorter month's last day, also across the year", () => {
  expect(startDateOf("month", "2020-03-31T15:00:00.000Z")).toBe("2020-03-01");
  expect(startDateOf("month", "2020-01-15T15:00:00.000Z")).toBe("2019-12-16");
});
