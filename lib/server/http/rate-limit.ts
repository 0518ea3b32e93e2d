import { RateLimiterRes } from "rate-limiter-flexible";
import { Failure } from "@/lib/domain/failures.ts";
import { isSkipped, limitInForce, type RateLimitName } from "@/lib/domain/rate-limits.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { counterOf } from "./limit-counter.ts";
import { limitRow } from "./limit-rows.ts";
import { networkOf } from "./network-of.ts";

/** One bucket for everybody holds this many times as much: the address of callers is not known. */
const SHARED_FACTOR = 20;
const SHARED = "shared";

/** The bucket of an address: IPv6 callers own a whole /64. */
export function addressBucket(address: string | null): string {
  if (address === null) return SHARED;
  return address.includes(":") ? (networkOf(address) ?? SHARED) : address;
}

export interface TakenPoint {
  /** Gives the point back if calls that ended with this HTTP status are not counted. */
  settle(status: number): Promise<void>;
}

const FREE: TakenPoint = { settle: async () => undefined };

/**
 * Takes a point, or throws `too_many_requests` with the time to wait. Points of calls that shall not count are taken
 * before the work and given back after it, so that parallel guesses do not slip past.
 */
export async function takePoint(name: RateLimitName, bucket: string): Promise<TakenPoint> {
  const limit = limitInForce(name, await limitRow(name));
  if (limit === null) return FREE;
  const isShared = bucket === SHARED;
  const counter = counterOf(`${name}${isShared ? ":shared" : ""}`);
  let giveBack: () => Promise<void>;
  try {
    giveBack = await counter.take(bucket, limit.maxRequests * (isShared ? SHARED_FACTOR : 1), limit.windowMs);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    throw tooMany(Math.max(1_000, refusal.msBeforeNext));
  }
  return {
    async settle(status) {
      if (!isSkipped(limit, status)) return;
      // The call is over and answered: a point that cannot be given back ends with its window.
      await giveBack().catch(() => undefined);
    },
  };
}

function tooMany(retryAfterMs: number): Failure {
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  const when = minutes <= 1 ? "in a minute" : `in ${minutes} minutes`;
  return new Failure("too_many_requests", `Too many requests. Please try again ${when}.`, { retryAfterMs });
}
