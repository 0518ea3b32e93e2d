import type { Clock } from "../clock.ts";

const TRADING_PER_MINUTE = 200;
const DATA_PER_MINUTE = 10_000;

export interface RateLimit {
  /** Takes one token; sets the rate headers; false when the bucket is empty. */
  take(owner: string, kind: "trading" | "data", headers: Record<string, string>): boolean;
}

/** Token buckets that refill over one minute of market time, but never faster than over one second of wall time. */
export function createRateLimit(clock: Clock): RateLimit {
  const buckets = new Map<string, { tokens: number; wall: number }>();
  return {
    take(owner, kind, headers) {
      const limit = kind === "trading" ? TRADING_PER_MINUTE : DATA_PER_MINUTE;
      const wall = performance.now();
      const windowMs = Math.max(1_000, 60_000 / clock.state().speed);
      const key = `${kind} ${owner}`;
      const bucket = buckets.get(key) ?? { tokens: limit, wall };
      bucket.tokens = Math.min(limit, bucket.tokens + ((wall - bucket.wall) / windowMs) * limit);
      bucket.wall = wall;
      buckets.set(key, bucket);
      const isFree = bucket.tokens >= 1;
      if (isFree) bucket.tokens -= 1;
      const refillMs = ((limit - bucket.tokens) / limit) * windowMs;
      headers["X-RateLimit-Limit"] = String(limit);
      headers["X-RateLimit-Remaining"] = String(Math.floor(bucket.tokens));
      headers["X-RateLimit-Reset"] = String(Math.ceil((Date.now() + refillMs) / 1000));
      return isFree;
    },
  };
}
