import fc from "fast-check";
import { expect, it } from "vitest";
import { createLocalWindows, SLOTS } from "./local-windows.ts";

const WINDOW_MS = 60_000;

it("in no stretch of a window more calls pass than the limit says, and no caller is refused for calls that are long over", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 30, maxLength: 80 }),
      async (points, gaps) => {
        let now = 0;
        const windows = createLocalWindows(() => now);
        const passed: number[] = [];
        for (const gap of gaps) {
          now += gap;
          const within = (ms: number) => passed.filter((at) => at > now - ms).length;
          const taken = await windows.take("a", points, WINDOW_MS);
          if (taken.isFull) expect(within(WINDOW_MS * (1 + 1 / SLOTS))).toBeGreaterThanOrEqual(points);
          else {
            expect(within(WINDOW_MS)).toBeLessThan(points);
            passed.push(now);
          }
        }
      },
    ),
  );
});

it("a refused caller who waits as long as told is let through, and not before", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 9_000 }), { minLength: 9, maxLength: 40 }),
      async (points, gaps) => {
        let now = 0;
        const windows = createLocalWindows(() => now);
        for (const gap of gaps) {
          now += gap;
          const taken = await windows.take("a", points, WINDOW_MS);
          if (!taken.isFull) continue;
          now += taken.freeInMs - 1;
          expect((await windows.take("a", points, WINDOW_MS)).isFull).toBe(true);
          now += 1;
          expect((await windows.take("a", points, WINDOW_MS)).isFull).toBe(false);
        }
      },
    ),
  );
});

it("what is given back makes room, buckets do not meet, and a limit that was raised or a window that was shortened acts at once", async () => {
  let now = 0;
  const windows = createLocalWindows(() => now);
  const first = await windows.take("a", 2, WINDOW_MS);
  await windows.take("a", 2, WINDOW_MS);
  expect((await windows.take("a", 2, WINDOW_MS)).isFull).toBe(true);
  expect((await windows.take("b", 2, WINDOW_MS)).isFull).toBe(false);
  if (!first.isFull) await first.giveBack();
  expect((await windows.take("a", 2, WINDOW_MS)).isFull).toBe(false);
  expect((await windows.take("a", 2, WINDOW_MS)).isFull).toBe(true);
  expect((await windows.take("a", 3, WINDOW_MS)).isFull).toBe(false);
  now += 1_000;
  expect((await windows.take("a", 3, 1_000)).isFull).toBe(false);
});
