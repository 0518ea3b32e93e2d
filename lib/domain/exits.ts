import type { HeldPosition, MarketView, PositionReview, SymbolView } from "./engine/plan.ts";
import { type ExitReason, REASON_TEXT } from "./engine/reasons.ts";
import type { StrategyName } from "./enums.ts";
import { greatest, type Money, money, text } from "./money.ts";
import type { Policy } from "./policy.ts";
import { lastPrice, rawToday, unbookedSplit } from "./risk/book.ts";
import { sessionsSince } from "./risk/sessions.ts";
import { momentumReview } from "./strategies/momentum.ts";
import { STRATEGIES } from "./strategies/strategies.ts";

/** The stop and the target of a position, raw; derived from the entry price and the user's percentages where none is stored. */
export function protectionOf(
  position: Pick<HeldPosition, "avgEntryPrice" | "stopPrice" | "targetPrice">,
  preferences: { stopLoss: string; profitTarget: string },
): { stop: Money; target: Money } {
  const { avgEntryPrice: entry, stopPrice, targetPrice } = position;
  const { stopLoss, profitTarget } = preferences;
  return {
    stop: money(stopPrice ?? money(1).minus(money(stopLoss).div(100)).times(entry)),
    target: money(targetPrice ?? money(profitTarget).div(100).plus(1).times(entry)),
  };
}

/** The last closed bar, in today's raw basis, when it closed at or after the entry; null when there is none yet. */
function closeSinceEntry(position: HeldPosition, view: SymbolView | undefined, market: MarketView): Money | null {
  if (view === undefined || view.features === null || market.barsThrough < position.openedSession) return null;
  return rawToday(view.features.close, view);
}

/**
 * The position's memory after this cycle: a session's closed bar counts once, however often the session is asked. Bars
 * from before the entry and sessions without features do not count. Until a split of the day is booked the memory stays as it is: the
 * booking divides all of it, and the bar counts afterwards.
 */
export function reviewPosition(position: HeldPosition, market: MarketView, policy: Policy): PositionReview {
  const { review } = position;
  const view = market.symbols[position.symbol];
  const close = closeSinceEntry(position, view, market);
  if (close === null || view === undefined || unbookedSplit(position, market) !== null) return review;
  if (review.reviewedSession !== null && review.reviewedSession >= market.barsThrough) return review;
  return {
    highestClose: text(review.highestClose === null ? close : greatest(close, money(review.highestClose))),
    entryAtr: review.entryAtr,
    ...momentumReview(review, view.features, view.momentumPercentile, policy),
    reviewedSession: market.barsThrough,
  };
}

/** Raw price of the trailing stop in force; null before it begins. */
export function trailingStop(
  position: HeldPosition,
  review: PositionReview,
  view: SymbolView | undefined,
  policy: Policy,
): Money | null {
  if (position.strategy === null || view === undefined || review.highestClose === null) return null;
  const strategy = STRATEGIES[position.strategy];
  const trail = strategy.trail?.(policy);
  const atr = view.features === null ? null : strategy.atr(view.features);
  if (trail === undefined || atr === null) return null;
  if (trail.fromR !== null && !hasGained(position, review, trail.fromR, strategy.stop(policy))) return null;
  return money(review.highestClose).minus(rawToday(atr, view).times(trail.atr));
}

/** True when the highest close since entry stands at least `multiple` R above the entry, R = `stopAtr` ATR at the entry. */
export function hasGained(position: HeldPosition, review: PositionReview, multiple: number, stopAtr: number): boolean {
  if (review.highestClose === null || review.entryAtr === null) return false;
  const risk = money(review.entryAtr).times(stopAtr);
  return money(review.highestClose).minus(position.avgEntryPrice).gte(risk.times(multiple));
}

function hasRunOutOfTime(position: HeldPosition, review: PositionReview, market: MarketView, policy: Policy): boolean {
  const strategy = position.strategy === null ? null : STRATEGIES[position.strategy];
  const time = strategy?.time?.(policy);
  if (strategy === null || time === undefined) return false;
  const held = sessionsSince(market.sessions, position.openedSession, market.session.date);
  if (held === null || held < time.sessions) return false;
  return time.unlessR === null || !hasGained(position, review, time.unlessR, strategy.stop(policy));
}

function strategyExit(
  position: HeldPosition,
  review: PositionReview,
  close: Money | null,
  view: SymbolView | undefined,
  policy: Policy,
): ExitReason | null {
  if (close === null || view === undefined || position.strategy === null) return null;
  const trail = trailingStop(position, review, view, policy);
  if (trail !== null && close.lt(trail)) return "trailing_stop";
  return STRATEGIES[position.strategy].exit(review, view.features, policy);
}

/** The memory of a position that no review has seen yet. */
const UNREVIEWED: PositionReview = {
  highestClose: null,
  entryAtr: null,
  weakReviews: 0,
  belowTrend: 0,
  reviewedSession: null,
};

/** Why the strategy's own exit would sell what is bought now, on the bars as they are; null where it would not. */
export function exitOfPurchase(strategy: StrategyName, view: SymbolView | null, policy: Policy): string | null {
  const reason = STRATEGIES[strategy].exit(UNREVIEWED, view?.features ?? null, policy);
  return reason === null ? null : `its exit rule already holds: ${REASON_TEXT[reason]}`;
}

/**
 * Why a position of ours is to be closed now, by priority (engine.md §10): protective stop → time stop → strategy exit →
 * profit target; null to keep it. `review` is the memory after `reviewPosition`. The stop and the target are asked here
 * only for shares that no live order at the broker covers. Nothing is asked until a split of the day is booked: what is held, its levels
 * and its memory do not compare with the day's prices.
 */
export function exitReason(
  position: HeldPosition,
  review: PositionReview,
  market: MarketView,
  policy: Policy,
  preferences: { stopLoss: string; profitTarget: string },
): ExitReason | null {
  if (position.strategy === null || unbookedSplit(position, market) !== null) return null;
  const view = market.symbols[position.symbol];
  const isUncovered = money(position.protectedQty).lt(position.qty);
  const last = !isUncovered || view === undefined || view.quote === null ? null : lastPrice(view);
  const levels = last === null ? null : protectionOf(position, preferences);
  if (last !== null && levels !== null && last.lte(levels.stop)) return "protective_stop";
  if (hasRunOutOfTime(position, review, market, policy)) return "time_stop";
  const exit = strategyExit(position, review, closeSinceEntry(position, view, market), view, policy);
  if (exit !== null) return exit;
  return last !== null && levels !== null && last.gte(levels.target) ? "profit_target" : null;
}
