import { describe, expect, it } from "vitest";
import { missedIntervals, nextAfterClose, nextDailyDue, nextMarketDue } from "./next-due.ts";

const calendar = [
  { opensAt: "2020-02-03T14:30:00.000Z", closesAt: "2020-02-03T21:00:00.000Z" },
  { opensAt: "2020-02-04T14:30:00.000Z", closesAt: "2020-02-04T21:00:00.000Z" },
];
const MINUTE = 60_000;
const due = (now: string) => nextMarketDue(now, 5 * MINUTE, 5 * MINUTE, calendar)?.toISOString();

describe("when market work is due next", () => {
  it("waits for the first minutes of the session", () => {
    expect(due("2020-02-03T10:00:00.000Z")).toBe("2020-02-03T14:35:00.000Z");
    expect(due("2020-02-03T14:31:00.000Z")).toBe("2020-02-03T14:35:00.000Z");
  });

  it("keeps to the grid of the session however late the last pass was", () => {
    expect(due("2020-02-03T14:35:00.000Z")).toBe("2020-02-03T14:40:00.000Z");
    expect(due("2020-02-03T14:43:20.000Z")).toBe("2020-02-03T14:45:00.000Z");
  });

  it("continues at the next session after the last pass of a day", () => {
    expect(due("2020-02-03T20:56:00.000Z")).toBe("2020-02-04T14:35:00.000Z");
    expect(due("2020-02-03T22:00:00.000Z")).toBe("2020-02-04T14:35:00.000Z");
  });

  it("answers null when no session is known", () => {
    expect(due("2020-02-05T10:00:00.000Z")).toBeUndefined();
  });

  it("work after the close is due a moment after it, then hourly into the night, then at the next close", () => {
    const after = (now: string) => nextAfterClose(now, 5 * MINUTE, calendar)?.toISOString();
    expect(after("2020-02-03T10:00:00.000Z")).toBe("2020-02-03T21:05:00.000Z");
    expect(after("2020-02-03T21:04:59.000Z")).toBe("2020-02-03T21:05:00.000Z");
    expect(after("2020-02-03T21:05:00.000Z")).toBe("2020-02-03T22:05:00.000Z");
    expect(after("2020-02-04T02:30:00.000Z")).toBe("2020-02-04T03:05:00.000Z");
    expect(after("2020-02-04T03:05:00.000Z")).toBe("2020-02-04T21:05:00.000Z");
    expect(after("2020-02-05T12:00:00.000Z")).toBeUndefined();
  });

  it("counts the passes that a late one stands for", () => {
    expect(missedIntervals(new Date("2020-02-03T14:35:00Z"), new Date("2020-02-03T14:39:59Z"), 5 * MINUTE)).toBe(0);
    expect(missedIntervals(new Date("2020-02-03T14:35:00Z"), new Date("2020-02-03T14:56:00Z"), 5 * MINUTE)).toBe(4);
  });
});

it.each([
  ["2026-11-22T13:29:59.999Z", "2026-11-22T13:30:00.000Z"],
  ["2026-11-22T13:30:00.000Z", "2026-11-23T13:30:00.000Z"],
  ["2026-11-22T23:59:00.000Z", "2026-11-23T13:30:00.000Z"],
  ["2026-12-31T14:00:00.000Z", "2027-01-01T13:30:00.000Z"],
  // Clocks change in New York, and not here.
  ["2026-03-08T13:30:00.000Z", "2026-03-09T13:30:00.000Z"],
])("after %s the daily check is due at %s", (now, next) =>
  expect(nextDailyDue(new Date(now), { hour: 13, minute: 30 }).toISOString()).toBe(next),
);
