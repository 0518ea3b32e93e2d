import type { StrategyName } from "../enums.ts";
import type { Policy } from "../policy.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { type Instant, MINUTE_MS, newYork } from "../time.ts";

/**
 * True for entries that are not bought on a later day. At the broker they are good until cancelled, because the stop and the
 * target would end with the entry otherwise; ending them is ours.
 */
export function isForOneSession(strategy: StrategyName | null): boolean {
  return strategy !== null && STRATEGIES[strategy].isForOneSession;
}

/** True from the last minutes of an order's session on, in which no entry is sent any more (`close_minutes`). */
export function isSessionEnding(
  submittedAt: Instant,
  at: Instant,
  session: { isOpen: boolean; closesAt: Instant },
  policy: Policy,
): boolean {
  if (!session.isOpen || newYork(submittedAt).date < newYork(at).date) return true;
  return Date.parse(session.closesAt) - Date.parse(at) <= policy.pretrade_filters.close_minutes * MINUTE_MS;
}
