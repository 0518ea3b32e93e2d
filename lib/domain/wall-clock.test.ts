import { expect, it } from "vitest";
import { isDue, isWithinLast, sinceMs } from "./wall-clock.ts";

const now = new Date("2026-03-02T15:00:00.000Z");
const inS = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

it("a time that a clock ahead has left is no time of the last minute, one of another machine is", () => {
  const recent = (seconds: number) => isWithinLast(60_000, inS(seconds), now);
  expect([-60, -59, 0, 10, 11, 3_600].map(recent)).toEqual([false, true, true, true, false, false]);
});

it("what a clock ahead has put off is due at once", () => {
  const due = (seconds: number) => isDue(60_000, inS(seconds), now);
  expect([-1, 0, 1, 70, 71, 3_600].map(due)).toEqual([true, true, false, false, true, true]);
});

it("what a clock ahead has dated has waited for longer than anything waits, and what another machine's has for a moment", () => {
  expect([-60, 0, 10, 11].map((seconds) => sinceMs(inS(seconds), now))).toEqual([60_000, 0, -10_000, Infinity]);
});
