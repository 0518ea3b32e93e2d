import type { HeldPosition, MarketView, PositionReview } from "./engine/plan.ts";
import type { PreferencesView } from "./preferences.ts";
import { protectionOf, trailingStop } from "./exits.ts";
import { type DecimalText, type Money, priceTick, text } from "./money.ts";
import { raisedStop } from "./orders.ts";
import type { Policy } from "./policy.ts";
import { lastPrice, unbookedSplit } from "./risk/book.ts";

export interface MovedStop {
  /** Raw price of the stop that is to rest from now on. */
  stopPrice: DecimalText;
  /** Raw price of the target that rests beside it. */
  targetPrice: DecimalText;
}

interface Resting {
  position: HeldPosition;
  /** The memory after this cycle's review. */
  review: PositionReview;
  market: MarketView;
  /** Raw price of the stop that rests now. */
  restingStop: Money | DecimalText;
  policy: Policy;
  preferences: Pick<PreferencesView, "stopLoss" | "profitTarget">;
}

/**
 * Where a resting stop moves because its position's trailing level rose (engine.md §7); null where it stays. The broker
 * of a live account and the fill model of a backtest both carry it. It stays until a split of the day is booked.
 */
export function movedStop({ position, review, market, restingStop, policy, preferences }: Resting): MovedStop | null {
  if (unbookedSplit(position, market) !== null) return null;
  const view = market.symbols[position.symbol];
  const last = lastPrice(view);
  const level = trailingStop(position, review, view, policy);
  if (last === null || level === null) return null;
  const stopPrice = raisedStop({ resting: restingStop, level, last }, policy.exits.trail_step_pct);
  if (stopPrice === null) return null;
  const target = priceTick(protectionOf(position, preferences).target, "up");
  return target.lte(last) ? null : { stopPrice, targetPrice: text(target) };
}
