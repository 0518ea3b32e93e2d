import { ProposedOrder } from "../gates/gate.ts";
import { estimated, greatest, least, type Money, money, priceTick } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { AccountAmounts } from "../risk/amounts.ts";
import { lastPrice, rawToday } from "../risk/book.ts";
import { advRoom } from "../risk/limits.ts";
import type { Room } from "../risk/room.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import type { StrategyName } from "../enums.ts";
import type { QuoteView, SymbolView } from "./plan.ts";

/** Bid–ask spread in bps of the middle; null without both sides. */
export function spreadBps(view: SymbolView): number | null {
  const { quote } = view;
  if (quote === null || quote.bid === null || quote.ask === null) return null;
  const [bid, ask] = [money(quote.bid), money(quote.ask)];
  const both = bid.plus(ask);
  return both.lte(0) ? null : Math.max(0, ask.minus(bid).times(20_000).over(both));
}

/** ATR of the strategy's stop in today's raw price. */
export function rawAtr(strategy: StrategyName, view: SymbolView): number | null {
  const atr = view.features === null ? null : STRATEGIES[strategy].atr(view.features);
  if (atr === null || view.splitToday === null) return atr;
  return money(atr).div(view.splitToday).toNumber();
}

export interface EntryPrice {
  /** The most an entry may pay, rounded so that it never pays more. */
  limit: Money;
  /** What it will most likely pay: the ask, and never more than its limit. Stop and target are measured from here. */
  expected: Money;
  /** Where a stop would be hit at once (`floorOf`). */
  floor: Money;
  atr: number | null;
  /** The strategy's stop in raw price, rounded down to the increment; null without an ATR. */
  stop: Money | null;
  last: Money;
  spreadBps: number | null;
  /** Part of the stock's dollar volume; null when it is not known. */
  volumeRoom: Room | null;
  /** One share: mostly the smallest order that would be placed. */
  oneShare: ProposedOrder;
}

/** The limit of an entry: a bid below the close, or the ask with the policy's offset. Null where the bid has no evidence. */
function limitOf(strategy: StrategyName, view: SymbolView, atr: number | null, policy: Policy): Money | null {
  const bidBelow = STRATEGIES[strategy].bidBelow?.(policy);
  const { quote, features } = view;
  if (bidBelow !== undefined)
    return features === null || atr === null ? null : rawToday(features.close, view).minus(estimated(atr * bidBelow));
  if (quote === null) return null;
  const factor = money(policy.orders_execution.entry_limit_offset_bps).div(10_000).plus(1);
  return money(quote.ask ?? quote.last).times(factor);
}

/** Prices of an entry that hold for every account; null without a usable price. */
export function entryPrice(strategy: StrategyName, view: SymbolView, policy: Policy): EntryPrice | null {
  const last = lastPrice(view);
  if (view.quote === null || last === null || last.lte(0)) return null;
  const atr = rawAtr(strategy, view);
  const asked = limitOf(strategy, view, atr, policy);
  if (asked === null) return null;
  const limit = priceTick(asked, "down");
  if (limit.lte(0)) return null;
  const { ask } = view.quote;
  const expected = least(limit, ask === null ? last : money(ask));
  return {
    limit,
    expected,
    floor: floorOf(limit, view.quote),
    atr,
    stop: atr === null ? null : priceTick(expected.minus(estimated(atr * STRATEGIES[strategy].stop(policy))), "down"),
    last,
    spreadBps: spreadBps(view),
    volumeRoom: advRoom(view.features, policy),
    oneShare: new ProposedOrder(ONE, limit, limit, last),
  };
}

const ONE = money(1);
const CENT = money("0.01");

/** Where a stop would be hit at once: the bid, or the limit where that lies below. */
export function floorOf(limit: Money, { bid, last }: QuoteView): Money {
  return least(limit, money(bid ?? last));
}

/** Why no order is made with this stop; null where it can rest. */
export function refusalOfStop(stop: Money, floor: Money): string | null {
  if (stop.lte(0)) return "the stop is not above zero";
  return stop.lt(floor) ? null : "the stop is not below the bid, so that it would sell at once";
}

export interface Legs {
  stop: Money;
  target: Money;
}

/**
 * Stop: the tighter of the user's percentage and the strategy's ATR stop. Target: the user's percentage, and at least a cent
 * above the limit, which brokers demand of a bracket. Both are measured from the price that will most likely be paid. Rounding
 * keeps the order of prices, so that the tighter of two rounded stops is the rounded tighter stop.
 */
export function legsOf({ limit, expected, stop }: EntryPrice, { stopFactor, targetFactor }: AccountAmounts): Legs {
  const ofUser = priceTick(expected.times(stopFactor), "down");
  return {
    stop: stop !== null && stop.gt(ofUser) ? stop : ofUser,
    target: priceTick(greatest(expected.times(targetFactor), limit.plus(CENT)), "up"),
  };
}
