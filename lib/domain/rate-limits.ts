import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

/** A limit of the product: at most `maxRequests` calls in any stretch of `windowMs` milliseconds. */
export interface RateLimit {
  windowMs: number;
  maxRequests: number;
  /** Calls that went well are not counted. */
  skipSuccessfulRequests: boolean;
  /** Calls that failed are not counted. */
  skipFailedRequests: boolean;
}

/** What an administrator set: a limit that can be switched off. */
export interface RateLimitSetting extends RateLimit {
  enabled: boolean;
}

interface BoundLimit extends RateLimit {
  description: string;
  /** The calls that it acts on, as contracts name them. */
  group: "auth" | "api" | "admin" | "export";
  /** The loosest that any setting makes of it: who guesses passwords is never left to it. */
  floor?: { windowMs: number; maxRequests: number };
  /**
   * The strictest that any setting makes of it: administrators can still sign in and reach the console to undo the setting, and owners
   * can still sell. Tightening a limit waits for no confirmation, so it must not close either.
   */
  strictest?: { windowMs: number; maxRequests: number };
}

const everyCall = { skipSuccessfulRequests: false, skipFailedRequests: false };
const failedCalls = { skipSuccessfulRequests: true, skipFailedRequests: false };
const callsThatWentWell = { skipSuccessfulRequests: false, skipFailedRequests: true };
const QUARTER_MS = 15 * MINUTE_MS;

/** The limits that the product acts on, with what holds unless an administrator set another value. Other names are bound to nothing. */
export const RATE_LIMITS = {
  auth: {
    group: "auth",
    description: "Sign-in, registration and unsubscribing, per address. Cannot be switched off completely.",
    windowMs: QUARTER_MS,
    maxRequests: 300,
    ...everyCall,
    floor: { windowMs: QUARTER_MS, maxRequests: 3_000 },
    strictest: { windowMs: QUARTER_MS, maxRequests: 20 },
  },
  "auth-failed": {
    group: "auth",
    description: "Failed sign-ins, per address. Cannot be switched off completely.",
    windowMs: QUARTER_MS,
    maxRequests: 20,
    ...failedCalls,
    floor: { windowMs: QUARTER_MS, maxRequests: 100 },
    strictest: { windowMs: QUARTER_MS, maxRequests: 10 },
  },
  "attempts-failed": {
    group: "auth",
    description:
      "Failed checks of one person's password, per address or signed-in caller. Cannot be switched off completely.",
    windowMs: QUARTER_MS,
    maxRequests: 10,
    ...failedCalls,
    floor: { windowMs: QUARTER_MS, maxRequests: 30 },
    strictest: { windowMs: QUARTER_MS, maxRequests: 5 },
  },
  // A day's failed checks of one account: these 80 by unknown devices, and those of `owner-failed`.
  "account-failed": {
    group: "auth",
    description:
      "Failed checks of one person's password by unknown devices, from everywhere. Cannot be switched off completely.",
    windowMs: DAY_MS,
    maxRequests: 80,
    ...failedCalls,
    floor: { windowMs: DAY_MS, maxRequests: 80 },
    strictest: { windowMs: DAY_MS, maxRequests: 40 },
  },
  "owner-failed": {
    group: "auth",
    description:
      "Failed checks of one person's password per device of theirs; from their networks and by signed-in callers once the others are used up.",
    windowMs: DAY_MS,
    maxRequests: 20,
    ...failedCalls,
    floor: { windowMs: DAY_MS, maxRequests: 20 },
    strictest: { windowMs: DAY_MS, maxRequests: 10 },
  },
  // With a right password or a token, 360 of a million codes a day.
  "factor-failed": {
    group: "auth",
    description: "Failed codes and confirmations of one person, from everywhere. Cannot be switched off completely.",
    windowMs: HOUR_MS,
    maxRequests: 15,
    ...failedCalls,
    floor: { windowMs: HOUR_MS, maxRequests: 15 },
    strictest: { windowMs: HOUR_MS, maxRequests: 8 },
  },
  api: {
    group: "api",
    description: "What people and their pages call, per signed-in person, and per address without a sign-in.",
    windowMs: MINUTE_MS,
    maxRequests: 600,
    ...everyCall,
    strictest: { windowMs: MINUTE_MS, maxRequests: 60 },
  },
  admin: {
    group: "admin",
    description: "The administrators' console, per administrator, and per address without a sign-in.",
    windowMs: MINUTE_MS,
    maxRequests: 600,
    ...everyCall,
    strictest: { windowMs: MINUTE_MS, maxRequests: 60 },
  },
  "password-changes": {
    group: "api",
    description: "Changes of a user's own password, per user.",
    windowMs: HOUR_MS,
    maxRequests: 20,
    ...everyCall,
  },
  "broker-keys": {
    group: "api",
    description: "Checks of broker keys, per person.",
    windowMs: QUARTER_MS,
    maxRequests: 10,
    ...everyCall,
  },
  "practice-accounts": {
    group: "api",
    description: "Practice accounts opened, per person.",
    windowMs: HOUR_MS,
    maxRequests: 10,
    ...callsThatWentWell,
  },
  "channel-calls": {
    group: "api",
    description: "Webhooks and browsers set up, tests and repeated deliveries, per person.",
    windowMs: QUARTER_MS,
    maxRequests: 20,
    ...everyCall,
  },
  // Many more than a hand can type: it bounds what a stolen sign-in asks of the broker, and keeps no owner from selling.
  "manual-orders": {
    group: "api",
    description: "Sales and stops by hand, per person.",
    windowMs: MINUTE_MS,
    maxRequests: 30,
    ...everyCall,
    strictest: { windowMs: MINUTE_MS, maxRequests: 15 },
  },
  recomputations: {
    group: "api",
    description: "Decisions computed again, per person.",
    windowMs: MINUTE_MS,
    maxRequests: 10,
    ...everyCall,
  },
  export: {
    group: "export",
    description: "Files to download, per signed-in person, and per address without a sign-in.",
    windowMs: QUARTER_MS,
    maxRequests: 10,
    ...everyCall,
  },
} as const satisfies Record<string, BoundLimit>;

/** Mails of one kind that others than their reader can cause: as many an address gets in a day. */
export const MAILS_A_DAY = 5;

export type RateLimitName = keyof typeof RATE_LIMITS;

/** Limits that count each person's calls. */
export type PersonLimit = Extract<
  RateLimitName,
  "password-changes" | "broker-keys" | "practice-accounts" | "channel-calls" | "manual-orders" | "recomputations"
>;

/** The group of calls that the limit of this name acts on; null for a name that is bound to nothing. */
export function groupOf(name: string): BoundLimit["group"] | null {
  return isBound(name) ? RATE_LIMITS[name].group : null;
}

export const isBound = (name: string): name is RateLimitName => Object.hasOwn(RATE_LIMITS, name);

/**
 * The limit in force under a name, from what was set for it (null: nothing). Null when it is lifted: only a limit
 * without a floor can be. One that would let less through than its strictest is that.
 */
export function limitInForce(name: RateLimitName, setting: RateLimitSetting | null): RateLimit | null {
  const { floor, strictest, description: _, group: __, ...builtIn }: BoundLimit = RATE_LIMITS[name];
  if (setting === null) return builtIn;
  const limit = withoutLooser(builtIn, floor, setting);
  return limit !== null && strictest !== undefined && isLooser(strictest, limit) ? { ...limit, ...strictest } : limit;
}

type Bound = Pick<RateLimit, "windowMs" | "maxRequests">;

/** Whether `a` lets more through than `b` over time. */
export const isLooser = (a: Bound, b: Bound): boolean => a.maxRequests * b.windowMs > b.maxRequests * a.windowMs;

/** Whether `after` lets anything through that `before` did not; null is no limit. */
export function isLoosened(before: RateLimit | null, after: RateLimit | null): boolean {
  if (before === null) return false;
  if (after === null) return true;
  return (
    after.maxRequests > before.maxRequests ||
    isLooser(after, before) ||
    (after.skipSuccessfulRequests && !before.skipSuccessfulRequests) ||
    (after.skipFailedRequests && !before.skipFailedRequests)
  );
}

function withoutLooser(builtIn: RateLimit, floor: Bound | undefined, setting: RateLimitSetting): RateLimit | null {
  const { enabled, ...limit } = setting;
  if (floor === undefined) return enabled ? limit : null;
  if (!enabled) return { ...builtIn, ...floor };
  const maxRequests = Math.min(limit.maxRequests, floor.maxRequests);
  // Over time no more than the floor lets through: few calls in a short window may be more of them in a day.
  const windowMs = Math.max(limit.windowMs, Math.ceil((maxRequests * floor.windowMs) / floor.maxRequests));
  // A limit of failed guesses never counts the right one: it would lock out those who know the password.
  const skipSuccessfulRequests = builtIn.skipSuccessfulRequests || limit.skipSuccessfulRequests;
  return { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests: false };
}

/**
 * Whether a call with this HTTP status stops counting. What failed on our side is not the caller's failed call, and a
 * call that a limit refused counts under no other.
 */
export function isSkipped(limit: RateLimit, status: number): boolean {
  if (status === 429) return true;
  if (status < 400) return limit.skipSuccessfulRequests;
  if (status < 500) return limit.skipFailedRequests;
  return limit.skipSuccessfulRequests || limit.skipFailedRequests;
}

export type Intensity = "Very High" | "High" | "Medium" | "Low";

/** How many calls a limit lets through, by requests a minute: from 100 Very High, 50 High, 10 Medium, else Low. */
export function intensityOf({ windowMs, maxRequests }: Pick<RateLimit, "windowMs" | "maxRequests">): Intensity {
  const perMinute = (maxRequests * MINUTE_MS) / windowMs;
  return perMinute >= 100 ? "Very High" : perMinute >= 50 ? "High" : perMinute >= 10 ? "Medium" : "Low";
}
