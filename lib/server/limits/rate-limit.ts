import { networkOf } from "@/lib/domain/network-of.ts";
import { Failure, failureStatus } from "@/lib/domain/failures.ts";
import { isSkipped, limitInForce, type RateLimitName } from "@/lib/domain/rate-limits.ts";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { counterOf } from "./limit-counter.ts";
import { limitRow } from "./limit-rows.ts";
import { noteAnswer, noteCall } from "./limit-stats.ts";

/** Callers whose address is not known share a bucket, which therefore holds this many times as much. */
const UNKNOWN_FACTOR = 20;
const UNKNOWN = "shared";

/** The bucket of an address: IPv6 callers own a whole /64. */
export function addressBucket(address: string | null): string {
  const network = networkOf(address);
  if (address === null || network === null) return UNKNOWN;
  return address.includes(":") ? network : address;
}

export interface TakenPoint {
  /** The call is over. Gives the point back if calls that ended with this HTTP status are not counted. */
  settle(status: number): Promise<void>;
}

/** A point of the caller's address. What many callers share for want of an address is widened, whatever else the bucket says. */
export function takeAddressPoint(name: RateLimitName, address: string | null, subject?: string): Promise<TakenPoint> {
  const bucket = addressBucket(address);
  const factor = bucket === UNKNOWN ? UNKNOWN_FACTOR : 1;
  return take(name, subject === undefined ? bucket : `${bucket}|${subject}`, factor);
}

/** A point of one person, device or other bucket that strangers do not share. */
export const takePoint = (name: RateLimitName, bucket: string): Promise<TakenPoint> => take(name, bucket, 1);

/**
 * Takes a point, or throws `too_many_requests` with the time to wait. Points of calls that shall not count are taken
 * before the work and given back after it, so that parallel guesses do not slip past.
 */
async function take(name: RateLimitName, bucket: string, factor: number): Promise<TakenPoint> {
  const startedAt = performance.now();
  const noteEnd = () => noteAnswer(name, performance.now() - startedAt);
  const limit = limitInForce(name, await limitRow(name));
  if (limit === null) {
    noteCall(name, false);
    return { settle: async () => noteEnd() };
  }
  const taken = await counterOf(name).take(bucket, limit.maxRequests * factor, limit.windowMs);
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

/** Takes several points in turn: when one is refused, the call costs none of the others. */
export async function takePoints(...takes: (() => Promise<TakenPoint>)[]): Promise<TakenPoint[]> {
  const taken: TakenPoint[] = [];
  try {
    for (const takeNext of takes) taken.push(await takeNext());
    return taken;
  } catch (error) {
    await settle(taken, failureStatus("too_many_requests"));
    throw error;
  }
}

/** Gives points back that must not count, once the response's status is known. A second call does nothing. */
export async function settle(points: TakenPoint[], status: number): Promise<void> {
  await Promise.all(points.splice(0).map((point) => point.settle(status)));
}

/** "in 15 minutes". */
export function whenText(waitMs: number): string {
  const minutes = Math.ceil(waitMs / MINUTE_MS);
  const hours = Math.ceil(waitMs / HOUR_MS);
  return minutes <= 1 ? "in a minute" : hours <= 2 ? `in ${minutes} minutes` : `in ${hours} hours`;
}

const tooMany = (retryAfterMs: number) =>
  new Failure("too_many_requests", `Too many requests. Please try again ${whenText(retryAfterMs)}.`, { retryAfterMs });
