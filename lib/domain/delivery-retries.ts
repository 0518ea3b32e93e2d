import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time.ts";

/** How long each failed attempt is followed by nothing: eight attempts in a day. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS, 6 * HOUR_MS, 12 * HOUR_MS] as const;

export const DELIVERY_ATTEMPTS_MAX = WAITS_MS.length + 1;

/** A webhook that failed for so long, with nothing delivered in between, may be switched off. */
const WEBHOOK_FAILING_MAX_MS = 3 * DAY_MS;

/**
 * True where failures in a row are evidence that a webhook is gone: they span three days, and the newest delivery was abandoned after all of its
 * attempts, which take most of a day. Two failures three days apart show nothing of the days between.
 */
export const isFailingForGood = ({
  failingForMs,
  hasGivenUp,
}: {
  failingForMs: number;
  hasGivenUp: boolean;
}): boolean => hasGivenUp && failingForMs >= WEBHOOK_FAILING_MAX_MS;

/** How long to wait after this attempt failed, counted from 1; null after the last one. A receiver may ask for more, up to an hour. */
export function retryWaitMs(attempt: number, retryAfter: string | null): number | null {
  const wait = WAITS_MS[attempt - 1];
  if (wait === undefined) return null;
  const asked = retryAfter !== null && /^\d{1,6}$/.test(retryAfter.trim()) ? Number(retryAfter) * 1_000 : 0;
  return Math.max(wait, Math.min(asked, HOUR_MS));
}

/** What an HTTP status says of a delivery. Redirects are not followed: they are failures. */
export function verdictOf(status: number): "delivered" | "gone" | "failed" {
  if (status >= 200 && status < 300) return "delivered";
  return status === 410 ? "gone" : "failed";
}
