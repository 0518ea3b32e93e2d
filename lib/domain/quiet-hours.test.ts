import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTimeZone, minuteOf, minuteText, quietText, quietUntil, type QuietHours } from "./quiet-hours.ts";

const hours = (from: string, to: string, timeZone = "America/New_York"): QuietHours => ({
  from: minuteOf(from) ?? NaN,
  to: minuteOf(to) ?? NaN,
  timeZone,
});
const until = (quiet: QuietHours, at: string) => quietUntil(quiet, new Date(at))?.toISOString() ?? null;

describe("quiet hours", () => {
  // New York changes on 2026-03-08 (02:00 → 03:00) and 2026-11-01 (02:00 → 01:00).
  it.each([
    ["before they begin", hours("22:00", "07:00"), "2026-06-02T01:59:59.999Z", null],
    ["from their first minute", hours("22:00", "07:00"), "2026-06-02T02:00:00.000Z", "2026-06-02T11:00:00.000Z"],
    ["after midnight", hours("22:00", "07:00"), "2026-06-02T06:30:12.345Z", "2026-06-02T11:00:00.000Z"],
    ["to their last", hours("22:00", "07:00"), "2026-06-02T10:59:59.999Z", "2026-06-02T11:00:00.000Z"],
    ["not at their end", hours("22:00", "07:00"), "2026-06-02T11:00:00.000Z", null],
    ["within one day", hours("12:00", "13:30"), "2026-01-05T17:10:00.000Z", "2026-01-05T18:30:00.000Z"],
    ["within one day, before", hours("12:00", "13:30"), "2026-01-05T16:59:00.000Z", null],
    ["to midnight", hours("22:00", "00:00"), "2026-01-06T03:30:00.000Z", "2026-01-06T05:00:00.000Z"],
    ["a night an hour shorter", hours("22:00", "07:00"), "2026-03-08T03:00:00.000Z", "2026-03-08T11:00:00.000Z"],
    ["a night an hour longer", hours("22:00", "07:00"), "2026-11-01T02:00:00.000Z", "2026-11-01T12:00:00.000Z"],
    ["an end that a change skips", hours("22:00", "02:30"), "2026-03-08T06:00:00.000Z", "2026-03-08T07:00:00.000Z"],
    ["hours that a change skips whole", hours("02:00", "03:00"), "2026-03-08T07:00:00.000Z", null],
    ["the first of two ends", hours("22:00", "01:30"), "2026-11-01T05:10:00.000Z", "2026-11-01T05:30:00.000Z"],
    ["the second of two ends", hours("22:00", "01:30"), "2026-11-01T06:10:00.000Z", "2026-11-01T06:30:00.000Z"],
    ["between the two", hours("22:00", "01:30"), "2026-11-01T05:40:00.000Z", null],
    ["London in winter", hours("22:00", "07:00", "Europe/London"), "2026-01-05T22:00:00Z", "2026-01-06T07:00:00.000Z"],
    ["London in summer", hours("22:00", "07:00", "Europe/London"), "2026-06-05T22:00:00Z", "2026-06-06T06:00:00.000Z"],
    [
      "a zone of 45 minutes",
      hours("22:00", "07:00", "Asia/Kathmandu"),
      "2026-01-05T16:15:00Z",
      "2026-01-06T01:15:00.000Z",
    ],
    [
      "a change of half an hour",
      hours("22:00", "07:00", "Australia/Lord_Howe"),
      "2026-10-03T13:00:00Z",
      "2026-10-03T20:00:00.000Z",
    ],
    [
      "across the date line",
      hours("22:00", "07:00", "Pacific/Kiritimati"),
      "2026-01-05T08:00:00Z",
      "2026-01-05T17:00:00.000Z",
    ],
  ])("%s", (_, quiet, at, end) => expect(until(quiet, at)).toBe(end));

  it("none hold nothing", () => expect(quietUntil(null, new Date("2026-06-02T03:00:00.000Z"))).toBeNull());

  it("end at an instant that is not quiet, after it, within a day and an hour, and all between is quiet", () => {
    const zones = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "UTC"];
    const minute = fc.integer({ min: 0, max: 1_439 });
    fc.assert(
      fc.property(
        fc
          .record({ from: minute, to: minute, timeZone: fc.constantFrom(...zones) })
          .filter(({ from, to }) => from !== to),
        fc.date({ min: new Date("2025-01-01"), max: new Date("2028-01-01"), noInvalidDate: true }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (quiet, at, part) => {
          const end = quietUntil(quiet, at);
          if (end === null) return;
          const lasts = end.getTime() - at.getTime();
          expect(lasts).toBeGreaterThan(0);
          expect(lasts).toBeLessThanOrEqual(25 * 3_600_000);
          expect(quietUntil(quiet, end)).toBeNull();
          const between = new Date(at.getTime() + Math.floor(lasts * part));
          expect(quietUntil(quiet, between)).toEqual(end);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("say what they do", () =>
    expect(quietText(hours("22:00", "07:00"))).toBe(
      "From 22:00 to 07:00 in New York emails and browser notifications wait; security alerts and halts do not.",
    ));
});

it("a time of the day is read as it is written", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1_439 }), (minute) => minuteOf(minuteText(minute)) === minute));
  expect(["24:00", "7:00", "07:60", "", "07:00:00"].map(minuteOf)).toEqual([null, null, null, null, null]);
});

it("time zones are known by name", () => {
  expect(["America/New_York", "UTC", "Europe/London"].every(isTimeZone)).toBe(true);
  expect(["+02:00", "Mars/Base", "", "a b", "America/New_York'--", "x".repeat(99)].some(isTimeZone)).toBe(false);
});
