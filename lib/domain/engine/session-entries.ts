import type { StrategyName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { type Instant, minutesBetween, newYork } from "../time.ts";

/**
 * True for entries that are not bought on a later day. At the broker they are good until cancelled, because the stop and the
 * target would end with the entry otherwise; ending them is ours.
 */
export function isForOneSession(strategy: StrategyName | null): boolean {
  return strategy !== null && STRATEGIES[strategy].isForOneSession;
}

/**
 * Why an unfilled entry is to be cancelled; null where it may wait on. None waits beyond the last minutes of its session: a market that
 * skips its nights opens again before another look, and the order would meet that opening on the gates of the day before. Within the
 * session one that is good for it waits until then, others for the policy's timeout in market time.
 */
export function whyStale(
  { submittedAt, strategy }: { submittedAt: Instant; strategy: StrategyName | null },
  at: Instant,
  session: { isOpen: boolean; closesAt: Instant },
  policy: Policy,
): "session ends" | "waited too long" | null {
  if (isSessionEnding(submittedAt, at, session, policy)) return "session ends";
  if (isForOneSession(strategy)) return null;
  const isOver = minutesBetween(submittedAt, at) > policy.orders_execution.entry_timeout_minutes;
  return isOver ? "waited too long" : null;
}

/**
 * True in the last minutes of an order's session, in which its gate lets no entry through (`close_minutes`), and from then on. At exactly
 * so many minutes before the close one is still sent, and none is cancelled.
 */
export function isSessionEnding(
  submittedAt: Instant,
  at: Instant,
  session: { isOpen: boolean; closesAt: Instant },
  policy: Policy,
): boolean {
  if (!session.isOpen || newYork(submittedAt).date < newYork(at).date) return true;
  return minutesBetween(at, session.closesAt) < policy.pretrade_filters.close_minutes;
}
