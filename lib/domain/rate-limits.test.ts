import { describe, expect, it } from "vitest";
import {
  groupOf,
  intensityOf,
  isLoosened,
  isSkipped,
  limitInForce,
  RATE_LIMITS,
  type RateLimitName,
  type RateLimitSetting,
} from "./rate-limits.ts";
import { DAY_MS, MINUTE_MS } from "./time.ts";

const setting = (overrides: Partial<RateLimitSetting> = {}): RateLimitSetting => ({
  windowMs: 5 * MINUTE_MS,
  maxRequests: 7,
  skipSuccessfulRequests: false,
  skipFailedRequests: false,
  enabled: true,
  ...overrides,
});
const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];
const OF_GUESSES = ["auth-failed", "attempts-failed", "account-failed", "owner-failed", "factor-failed"] as const;
const GUARDED = ["auth", ...OF_GUESSES] as const;
/** On the way to undoing a limit, or to selling. */
const REACHED_BY = [...GUARDED, "api", "admin", "manual-orders"] as const;
const WINDOWS = [MINUTE_MS, 15 * MINUTE_MS, DAY_MS];
const FREE = [
  "export",
  "password-changes",
  "broker-keys",
  "practice-accounts",
  "channel-calls",
  "recomputations",
] as const;

describe("the limit in force", () => {
  it.each(NAMES)("%s without a setting is the built-in one, within the bounds of a setting", (name) => {
    const { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests } = RATE_LIMITS[name];
    const builtIn = { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests };
    expect(limitInForce(name, null)).toEqual(builtIn);
    expect(limitInForce(name, { ...builtIn, enabled: true })).toEqual(builtIn);
    expect(windowMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(windowMs).toBeLessThanOrEqual(DAY_MS);
    expect(maxRequests).toBeGreaterThanOrEqual(1);
    expect(maxRequests).toBeLessThanOrEqual(10_000);
  });

  it.each(FREE)("%s is what was set, and none when it is switched off", (name) => {
    const { enabled: _, ...limit } = setting({ skipFailedRequests: true });
    expect(limitInForce(name, setting({ skipFailedRequests: true }))).toEqual(limit);
    expect(limitInForce(name, setting({ enabled: false }))).toBeNull();
  });

  it.each(GUARDED)("%s stays on its floor when it is switched off, and counts failed calls whatever is set", (name) => {
    const { floor } = RATE_LIMITS[name];
    expect(limitInForce(name, setting({ enabled: false }))).toMatchObject(floor);
    expect(limitInForce(name, setting({ enabled: false, skipFailedRequests: true }))?.skipFailedRequests).toBe(false);
    expect(limitInForce(name, setting({ skipFailedRequests: true }))?.skipFailedRequests).toBe(false);
  });

  it.each(REACHED_BY)("%s is never so strict that signing in, the console or a sale is out of reach", (name) => {
    const { strictest } = RATE_LIMITS[name];
    const isFloored = "floor" in RATE_LIMITS[name];
    const loose = { maxRequests: strictest.maxRequests, windowMs: strictest.windowMs };
    expect(limitInForce(name, setting(loose))).toMatchObject(loose);
    for (const windowMs of WINDOWS)
      for (const maxRequests of [1, 10, 29, 100, 3_000, 10_000]) {
        const limit = limitInForce(name, setting({ windowMs, maxRequests }))!;
        const isTaken = maxRequests / windowMs >= strictest.maxRequests / strictest.windowMs;
        expect(limit.maxRequests / limit.windowMs).toBeGreaterThanOrEqual(strictest.maxRequests / strictest.windowMs);
        if (!isTaken) expect(limit).toMatchObject(strictest);
        else if (!isFloored) expect(limit).toMatchObject({ windowMs, maxRequests });
      }
  });

  it.each(OF_GUESSES)("%s counts wrong guesses alone, whatever is set", (name) => {
    for (const enabled of [true, false])
      expect(limitInForce(name, setting({ enabled, skipSuccessfulRequests: false }))).toMatchObject({
        skipSuccessfulRequests: true,
        skipFailedRequests: false,
      });
  });

  it.each(["api", "admin", "manual-orders"] as const)("%s is lifted when it is switched off", (name) => {
    expect(limitInForce(name, setting({ enabled: false, maxRequests: 1 }))).toBeNull();
  });

  it.each(GUARDED)("%s can be stricter than its floor and never looser, neither at once nor over time", (name) => {
    const { floor, strictest } = RATE_LIMITS[name];
    for (const windowMs of WINDOWS)
      for (const maxRequests of [1, 10, 29, 100, 3_000, 10_000]) {
        if (Math.min(maxRequests, floor.maxRequests) / windowMs < strictest.maxRequests / strictest.windowMs) continue;
        const limit = limitInForce(name, setting({ windowMs, maxRequests }))!;
        expect(limit.maxRequests).toBeLessThanOrEqual(Math.min(maxRequests, floor.maxRequests));
        expect(limit.windowMs).toBeGreaterThanOrEqual(windowMs);
        expect(limit.maxRequests / limit.windowMs).toBeLessThanOrEqual(floor.maxRequests / floor.windowMs);
      }
  });
});

it.each<[string, Partial<RateLimitSetting>, boolean]>([
  ["the same", {}, false],
  ["more calls", { maxRequests: 8 }, true],
  ["as many in less time", { windowMs: 4 * MINUTE_MS }, true],
  ["more at once, and fewer over time", { maxRequests: 8, windowMs: DAY_MS }, true],
  ["fewer at once, and more over time", { maxRequests: 6, windowMs: MINUTE_MS }, true],
  ["fewer calls", { maxRequests: 6 }, false],
  ["a longer window", { windowMs: 6 * MINUTE_MS }, false],
  ["successes left out", { skipSuccessfulRequests: true }, true],
  ["failures left out", { skipFailedRequests: true }, true],
])("a change of a limit to %s loosens it or not", (_, change, isLooser) => {
  expect(isLoosened(setting(), setting(change))).toBe(isLooser);
});

it("a limit that is lifted is loosened, and one that is lifted already is not", () => {
  expect(isLoosened(setting(), null)).toBe(true);
  for (const after of [setting(), null]) expect(isLoosened(null, after)).toBe(false);
});

it("every limit of the product is bound to a group of calls; other names, those of prototypes too, to none", () => {
  for (const name of NAMES) expect(["auth", "api", "admin", "export"]).toContain(groupOf(name));
  for (const name of ["", "Auth", "nothing-of-ours", "constructor", "__proto__", "toString"])
    expect(groupOf(name)).toBeNull();
});

it("of the failures at one account no more than a hundred a day reach the hash, whatever is set", () => {
  const perDay = (["account-failed", "owner-failed"] as const).map((name) =>
    limitInForce(name, setting({ enabled: false }))!,
  );
  expect(perDay.reduce((sum, { maxRequests, windowMs }) => sum + (maxRequests * DAY_MS) / windowMs, 0)).toBe(100);
});

it.each([
  [200, false, false, false],
  [200, true, false, true],
  [304, true, false, true],
  [200, false, true, false],
  [404, true, false, false],
  [429, false, true, true],
  [404, false, false, false],
  [500, false, false, false],
  [503, true, false, true],
  [503, false, true, true],
])(
  "a call that ended with %i, skipping successes %s and failures %s, is skipped: %s",
  (status, good, failed, skipped) => {
    const limit = setting({ skipSuccessfulRequests: good, skipFailedRequests: failed });
    expect(isSkipped(limit, status)).toBe(skipped);
  },
);

it.each([
  [900_000, 1500, "Very High"],
  [60_000, 100, "Very High"],
  [60_000, 99, "High"],
  [900_000, 750, "High"],
  [900_000, 749, "Medium"],
  [60_000, 10, "Medium"],
  [900_000, 100, "Low"],
  [86_400_000, 10_000, "Low"],
] as const)("a window of %i ms with %i requests is of %s intensity", (windowMs, maxRequests, intensity) => {
  expect(intensityOf({ windowMs, maxRequests })).toBe(intensity);
});
