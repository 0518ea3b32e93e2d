import { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterAbstract, RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "@/lib/domain/failures.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

interface Limit {
  points: number;
  windowMs: number;
}

/**
 * What is counted, per address unless said otherwise. "…-failed" counts only calls that failed: the point
 * is taken before the work and given back after success, so that parallel guesses do not slip past.
 */
const LIMITS = {
  auth: { points: 300, windowMs: 15 * MINUTE_MS },
  "auth-failed": { points: 20, windowMs: 15 * MINUTE_MS },
  /** Per email and address: one person's password is guessed slowly, others are not locked out. */
  "attempts-failed": { points: 10, windowMs: 15 * MINUTE_MS },
  api: { points: 600, windowMs: MINUTE_MS },
  admin: { points: 600, windowMs: MINUTE_MS },
  export: { points: 10, windowMs: 15 * MINUTE_MS },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** One bucket for everybody holds this many times as much: the address of callers is not known. */
const SHARED_FACTOR = 20;
const SHARED = "shared";

/** The bucket of an address: IPv6 callers own a whole /64. */
export function addressBucket(address: string | null): string {
  if (address === null) return SHARED;
  return address.includes(":") ? address.toLowerCase().split(":").slice(0, 4).join(":") : address;
}

export interface TakenPoint {
  giveBack(): Promise<void>;
}

/** Takes a point, or throws `too_many_requests` with the time to wait. */
export async function takePoint(name: LimitName, bucket: string): Promise<TakenPoint> {
  const limiter = limiterOf(name, bucket === SHARED);
  try {
    await limiter.consume(bucket);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw tooMany(Math.max(1_000, refusal.msBeforeNext));
  }
  return {
    async giveBack() {
      await limiter.reward(bucket);
    },
  };
}

function tooMany(retryAfterMs: number): Failure {
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  const when = minutes <= 1 ? "in a minute" : `in ${minutes} minutes`;
  return new Failure("too_many_requests", `Too many requests. Please try again ${when}.`, { retryAfterMs });
}

const limiters = new Map<string, RateLimiterAbstract>();

function limiterOf(name: LimitName, isShared: boolean): RateLimiterAbstract {
  const key = `${name}${isShared ? ":shared" : ""}`;
  let limiter = limiters.get(key);
  if (!limiter) {
    limiter = createLimiter(key, LIMITS[name], isShared ? SHARED_FACTOR : 1);
    limiters.set(key, limiter);
  }
  return limiter;
}

/** Counts in Redis; in this process's memory while Redis is away or absent. Never not at all. */
function createLimiter(key: string, { points, windowMs }: Limit, factor: number): RateLimiterAbstract {
  const options = {
    keyPrefix: `${env().QUEUE_PREFIX}:limit:${key}`,
    points: points * factor,
    duration: windowMs / 1000,
  };
  const local = new RateLimiterMemory(options);
  const storeClient = redis();
  return storeClient
    ? new RateLimiterRedis({ ...options, storeClient, insuranceLimiter: local, rejectIfRedisNotReady: true })
    : local;
}

const shared = globalThis as unknown as { tradewindLimiterRedis?: Redis };

function redis(): Redis | null {
  const { REDIS_URL } = env();
  if (!REDIS_URL) return null;
  if (!shared.tradewindLimiterRedis) {
    // A Redis that hangs costs a quarter of a second at most, and nothing waits for it to come back.
    shared.tradewindLimiterRedis = new Redis(REDIS_URL, {
      enableOfflineQueue: false,
      commandTimeout: 250,
      maxRetriesPerRequest: 0,
    });
    // A lost connection is what the local limiter is for.
    shared.tradewindLimiterRedis.on("error", () => undefined);
  }
  return shared.tradewindLimiterRedis;
}
