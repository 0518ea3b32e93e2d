import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Clock, createClock } from "./clock.ts";
import { generateMarket } from "./market/generated.ts";
import { type Hours, sessionsOf } from "./market/sessions.ts";

const SPEEDS = [1, 2, 10, 29, 30, 60, 600, 5_000];
/** Market time may stand at a minute's end until its timer fires: this much wall time, however long the run. */
const SLACK_MS = 3;

const sessions = sessionsOf(generateMarket({ seed: 1, start: "2024-03-04" }));
let clock: Clock | undefined;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate", "performance"] });
});
afterEach(async () => {
  const stopped = clock?.stop();
  // A step that gave way in the middle waits for a timer of its own.
  await vi.runOnlyPendingTimersAsync();
  await stopped;
  vi.restoreAllMocks();
  vi.useRealTimers();
});

interface Run {
  speed: number;
  skipClosed: boolean;
  /** Market time at the start: so long after the opening of 4 March 2024. */
  fromMinute?: number;
  /** Wall time that each event costs. */
  costMs?: number;
}

function started({ speed, skipClosed, fromMinute = 0, costMs = 0 }: Run): { clock: Clock; complaints: string[] } {
  const fromMs = sessions.hours("2024-03-04").opensAtMs + fromMinute * 60_000;
  const complaints: string[] = [];
  // Work holds the thread: the wall clock runs, no timer fires meanwhile.
  let spentMs = 0;
  const faked = performance.now.bind(performance);
  if (costMs > 0) vi.spyOn(performance, "now").mockImplementation(() => faked() + spentMs);
  const work = () => void (spentMs += costMs);
  clock = createClock({
    state: { nowMs: fromMs, processedMs: fromMs, speed, isPaused: false },
    skipClosed,
    sessions,
    lastSession: null,
    onOpen: work,
    onMinute: work,
    afterEvent: () => Promise.resolve(),
    complain: (message) => void complaints.push(message),
  });
  clock.start();
  return { clock, complaints };
}

/** Market milliseconds since the opening of 4 March 2024; with closed hours left out, only those of open markets. */
function elapsedMs(nowMs: number, skipClosed: boolean): number {
  let hours: Hours = sessions.hours("2024-03-04");
  if (!skipClosed) return nowMs - hours.opensAtMs;
  let open = 0;
  for (; hours.opensAtMs <= nowMs; hours = sessions.hours(sessions.next(hours.date)))
    open += Math.min(nowMs, hours.closesAtMs) - hours.opensAtMs;
  return open;
}

it.each(SPEEDS.flatMap((speed) => [true, false].map((skipClosed) => ({ speed, skipClosed }))))(
  "at $speed times (closed hours skipped: $skipClosed) market time is speed times wall time, at every look",
  async ({ speed, skipClosed }) => {
    const { clock, complaints } = started({ speed, skipClosed });
    // Three minutes of wall time: at the slowest speed too, minutes end in between.
    for (let wallMs = 0; wallMs < 180_000;) {
      wallMs += 937;
      await vi.advanceTimersByTimeAsync(937);
      const off = elapsedMs(clock.nowMs(), skipClosed) - wallMs * speed;
      expect(off, `after ${wallMs} ms of wall time`).toBeLessThanOrEqual(0.001);
      expect(off, `after ${wallMs} ms of wall time`).toBeGreaterThanOrEqual(-SLACK_MS * speed);
    }
    expect([clock.leftOutMs(), complaints]).toEqual([0, []]);
  },
);

it("work on a minute, a close or an opening costs no market time: the clock is on its line again after it", async () => {
  const { clock } = started({ speed: 5_000, skipClosed: true, fromMinute: 380, costMs: 8 });
  const from = performance.now();
  // The close and the next opening lie within the first 200 ms of wall time.
  await vi.advanceTimersByTimeAsync(1_000);
  const off = elapsedMs(clock.nowMs(), true) - 380 * 60_000 - (performance.now() - from) * 5_000;
  expect(Math.abs(off)).toBeLessThanOrEqual((8 + SLACK_MS) * 5_000);
  expect(clock.leftOutMs()).toBe(0);
});

it("what cannot be kept up with is left out, counted and said once a minute, not replayed", async () => {
  const { clock, complaints } = started({ speed: 5_000, skipClosed: false, costMs: 24 });
  const from = performance.now();
  await vi.advanceTimersByTimeAsync(500);
  // A minute costs twice what it lasts: half of the wall time beyond the two seconds' grace is left out.
  const wallMs = performance.now() - from;
  const behindMs = wallMs - elapsedMs(clock.nowMs(), false) / 5_000;
  expect(wallMs).toBeGreaterThan(5_000);
  expect(clock.leftOutMs()).toBeGreaterThan(500);
  expect(behindMs - clock.leftOutMs()).toBeLessThanOrEqual(2_100);
  expect(complaints.length).toBe(Math.ceil(wallMs / 60_000));
  expect(complaints[0]).toMatch(/cannot keep up with 5000x/);
});

it("a process that stood still for a night does not replay it", async () => {
  const { clock, complaints } = started({ speed: 1, skipClosed: false });
  await vi.advanceTimersByTimeAsync(30_000);
  const asleep = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => asleep() + 8 * 3_600_000);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(elapsedMs(clock.nowMs(), false)).toBeLessThanOrEqual(60_000 + 62_100);
  expect(complaints).toHaveLength(1);
});
