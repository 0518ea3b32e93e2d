import { expect, it } from "vitest";
import { DELIVERY_ATTEMPTS_MAX, isFailingForGood, retryWaitMs, verdictOf } from "./delivery-retries.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

it("eight attempts are spread over about a day, each after a longer wait", () => {
  const waits = Array.from({ length: DELIVERY_ATTEMPTS_MAX }, (_, index) => retryWaitMs(index + 1, null));
  expect(waits.map((wait) => (wait === null ? null : wait / MINUTE_MS))).toEqual([1, 5, 15, 60, 180, 360, 720, null]);
  const total = waits.reduce<number>((sum, wait) => sum + (wait ?? 0), 0);
  expect(total / HOUR_MS).toBeGreaterThan(22);
  expect(total / HOUR_MS).toBeLessThan(25);
});

it("a receiver that is down for ten minutes is asked again within half an hour", () => {
  const starts = [1, 2, 3].map((attempt) => retryWaitMs(attempt, null) ?? 0);
  expect(starts.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(30 * MINUTE_MS);
});

it.each([
  [1, "120", 2 * MINUTE_MS],
  [1, "5", MINUTE_MS],
  [2, "999999", HOUR_MS],
  [1, "Wed, 21 Oct 2026 07:28:00 GMT", MINUTE_MS],
  [1, "-1", MINUTE_MS],
  [8, "60", null],
])("attempt %i that is asked to wait %s waits %s ms", (attempt, asked, wait) => {
  expect(retryWaitMs(attempt, asked)).toBe(wait);
});

it("failures in a row switch a webhook off after three days, and only with a delivery that was abandoned", () => {
  const after = (failingForMs: number, hasGivenUp: boolean) => isFailingForGood({ failingForMs, hasGivenUp });
  expect([after(3 * DAY_MS, true), after(30 * DAY_MS, true)]).toEqual([true, true]);
  expect([after(3 * DAY_MS, false), after(30 * DAY_MS, false)]).toEqual([false, false]);
  expect(after(3 * DAY_MS - 1, true)).toBe(false);
});

it("statuses: what is taken, what is over and what is tried again", () => {
  expect([200, 201, 204, 299].map(verdictOf)).toEqual(Array(4).fill("delivered"));
  expect([100, 301, 302, 307, 400, 401, 404, 429, 500, 503].map(verdictOf)).toEqual(Array(10).fill("failed"));
  expect(verdictOf(410)).toBe("gone");
});
