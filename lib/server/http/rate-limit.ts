import { networkOf } from "@/lib/domain/network-of.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { isSkipped, limitInForce, type RateLimitName } from "@/lib/domain/rate-limits.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { counterOf } from "./limit-counter.ts";
import { limitRow } from "./limit-rows.ts";
import { noteAnswer, noteCall } from "./limit-stats.ts";

/** The shared bucket holds this many times as much: it serves all callers whose address is not known. */
const SHARED_FACTOR = 20;
const SHARED = "shared";

/** The bucket of an address: IPv6 callers own a whole /64. */
export function addressBucket(address: string | null): string {
  if (address === null) return SHARED;
  return address.includes(":") ? (networkOf(address) ?? SHARED) : address;
}

export interface TakenPoint {
  /** The call is over. Gives the point back if calls that ended with this HTTP status are not counted. */
  settle(status: number): Promise<void>;
}

/**
 * Takes a point, or throws `too_many_requests` with the time to wait. Points of calls that shall not count are taken
 * before the work and given back after it, so that parallel guesses do not slip past.
 */
export async function takePoint(name: RateLimitName, bucket: string): Promise<TakenPoint> {
  const startedAt = performance.now();
  const noteEnd = () => noteAnswer(name, performance.now() - startedAt);
  const limit = limitInForce(name, await limitRow(name));
  if (limit === null) {
    noteCall(name, false);
    return { settle: async () => noteEnd() };
  }
  const isShared = bucket === SHARED;
  const counter = counterOf(`${name}${isShared ? ":shared" : ""}`);
  const taken = await counter.take(bucket, limit.maxRequests * (isShared ? SHARED_FACTOR : 1), limit.windowMs);
  noteCall(name, taken.isFull);
  if (taken.isFull) throw tooMany(Math.max(1_000, taken.freeInMs));
  return {
    async settle(status) {
      noteEnd();
      if (!isSkipped(limit, status)) return;
      // The call is over and answered: a point that cannot be given back ends with its window.
      await taken.giveBack().catch(() => undefined);
    },
  };
}

function tooMany(retryAfterMs: number): Failure {
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  const hours = Math.ceil(retryAfterMs / HOUR_MS);
  const when = minutes <= 1 ? "in a minute" : hours <= 2 ? `in ${minutes} minutes` : `in ${hours} hours`;
  return new Failure("too_many_requests", `Too many requests. Please try again ${when}.`, { retryAfterMs });
}
