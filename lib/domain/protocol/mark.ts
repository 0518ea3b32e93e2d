/** The last look before an order leaves: whether the mark may be taken, renewed, and used. */
import type { IntentStatusName } from "../enums.ts";
import {
  AFTER_RESET_MS,
  FRESH_MARK_MS,
  JITTER_MS,
  LONGEST_THROTTLE_MS,
  MOST_REQUESTS,
  ORDER_PROTOCOL,
} from "./settings.ts";

/** leave: another process took the step. */
export type MarkStep = "mark" | "halt" | "deny" | "leave";

/** Why this build may not send: a newer one has sent orders here (`newest` is its protocol). Null when it may. */
export function refusalOfBuild(newest: number, own = ORDER_PROTOCOL): string | null {
  if (newest <= own) return null;
  return `a newer build sends the orders (order protocol ${newest}, this process speaks ${own})`;
}

/** T2. `refusal`: why a switch, a halt or a newer writer forbids it; `isDenied`: a gate failed when it was asked again. */
export function markStep(status: IntentStatusName, refusal: string | null, isDenied: boolean): MarkStep {
  if (status !== "GATED") return "leave";
  if (refusal !== null) return "halt";
  return isDenied ? "deny" : "mark";
}

/** A process that slept between mark and call finds its order closed: it must no longer send. */
export function mayPost(nowMs: number, deadlineMs: number | null): boolean {
  return deadlineMs === null || nowMs < deadlineMs;
}

/** The mark was taken a moment ago. One that waited behind other work of its account may rest on switches thrown since. */
export function isFreshMark(nowMs: number, markedAtMs: number | null): boolean {
  return markedAtMs !== null && nowMs - markedAtMs <= FRESH_MARK_MS;
}

/** Why the same id may not go out again after a 429; null when it may. */
export function refusalToRenew(
  status: IntentStatusName,
  submitEpoch: number | null,
  epoch: number,
  refusal: string | null,
): string | null {
  if (refusal !== null) return refusal;
  return status === "SUBMITTING" && submitEpoch === epoch ? null : "the order is being settled elsewhere";
}

/**
 * How long a throttled caller waits: to the broker's reset, a second more, and a little chance (`jitter`, 0 to 1), so that
 * the accounts of a host do not retry in step. Bounded whatever the broker says; a reset in the past is now.
 */
export function throttleWaitMs(resetInMs: number, jitter: number): number {
  const untilReset = Math.min(Math.max(resetInMs, 0), LONGEST_THROTTLE_MS);
  return Math.round(untilReset + AFTER_RESET_MS + jitter * JITTER_MS);
}

/** A broker that keeps asking to wait gets no more than a few requests for one order; then the leg is withdrawn. */
export function mayAskAgain(requests: number): boolean {
  return requests < MOST_REQUESTS;
}
