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
 * Why an unfilled entry is to be cancelled; null where it may wait on. One that is good for its session waits until its last minutes,
 * others for the policy's timeout in market time, while the market is closed, too.
 */
export function whyStale(
  { submittedAt, strategy }: { submittedAt: Instant; strategy: StrategyName | null },
  at: Instant,
  session: { isOpen: boolean; closesAt: Instant },
  policy: Policy,
): "session ends" | "waited too long" | null {
  if (isForOneSession(strategy)) return isSessionEnding(submittedAt, at, session, policy) ? "session ends" : null;
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
