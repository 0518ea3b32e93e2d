import { expect, it } from "vitest";
import { HOUR_MS, monthsBefore, newYork } from "./time.ts";

it.each([
  ["2020-03-31", 1, "2020-02-29"],
  ["2020-03-15", 3, "2019-12-15"],
  ["2020-02-29", 12, "2019-02-28"],
  ["2020-01-31", 1, "2019-12-31"],
])("%s, %i months before: %s", (date, months, expected) => {
  expect(monthsBefore(date, months)).toBe(expected);
});

const inNewYork = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});
const two = (value: number) => String(value).padStart(2, "0");

it("New York reads what the time zone says, in forty years, whatever was asked before", () => {
  const [first, last] = [Date.UTC(1995, 0, 1), Date.UTC(2035, 0, 1)];
  const wrong: string[] = [];
  // Steps of 5 hours and some minutes come by every hour of the day and every change of clocks' day.
  for (let at = first; at < last; at += 5 * HOUR_MS + 977_123) {
    const { date, hour, minute, second } = newYork(at);
    const said = `${date} ${two(hour)}:${two(minute)}:${two(second)}`;
    if (said !== inNewYork.format(at)) wrong.push(`${new Date(at).toISOString()}: ${said}`);
  }
  expect(wrong).toEqual([]);
});

it.each([
  ["2026-03-08T06:59:59.999Z", "2026-03-08", 1, 59, 59],
  ["2026-03-08T07:00:00.000Z", "2026-03-08", 3, 0, 0],
  ["2026-11-01T05:59:59.999Z", "2026-11-01", 1, 59, 59],
  ["2026-11-01T06:00:00.000Z", "2026-11-01", 1, 0, 0],
  ["1960-06-01T03:30:15.000Z", "1960-05-31", 23, 30, 15],
])("%s is %s %i:%i:%i in New York, as text, number and date", (instant, date, hour, minute, second) => {
  for (const form of [instant, Date.parse(instant), new Date(instant)])
    expect(newYork(form)).toEqual({ date, hour, minute, second });
});

it("what is no instant has no reading", () => {
  expect(() => newYork("yesterday")).toThrow(RangeError);
});
