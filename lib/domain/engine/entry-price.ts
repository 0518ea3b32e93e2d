import { type Money, money, priceTick } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";
import { amountsOf } from "../risk/amounts.ts";
import { lastPrice, rawToday } from "../risk/book.ts";
import { isLessUsd, tickOf, type Usd, usd } from "../risk/usd.ts";
import { stopMultiple, strategyAtr } from "../strategies/strategy.ts";
import type { AccountState, StrategyName, SymbolView } from "./plan.ts";

/** Bid–ask spread in bps of the middle; null without both sides. */
export function spreadBps(view: SymbolView): number | null {
  const { quote } = view;
  if (quote === null || quote.bid === null || quote.ask === null) return null;
  const bid = money(quote.bid);
  const ask = money(quote.ask);
  const middle = bid.plus(ask).div(2);
  return middle.lte(0) ? null : Math.max(0, ask.minus(bid).div(middle).times(1e4).toNumber());
}

/** ATR of the strategy's stop in today's raw price. */
export function rawAtr(strategy: StrategyName, view: SymbolView): number | null {
  const atr = strategyAtr(strategy, view.features);
  return atr === null
    ? null
    : money(atr)
        .div(view.splitToday ?? "1")
        .toNumber();
}

export interface EntryPrice {
  /** The most an entry may pay, rounded so that it never pays more. */
  limit: Money;
  limitUsd: Usd;
  atr: number | null;
  /** The strategy's stop in raw price, rounded down to the increment; null without an ATR. */
  stop: Usd | null;
  last: Money;
  spreadBps: number | null;
}

/** Prices of an entry that hold for every account; null without a usable price. */
function entryPrice(strategy: StrategyName, view: SymbolView, policy: Policy): EntryPrice | null {
  const last = lastPrice(view);
  if (view.quote === null || last === null || last.lte(0)) return null;
  const atr = rawAtr(strategy, view);
  let limit: Money;
  if (strategy === "MEAN_REVERSION") {
    if (view.features === null || atr === null) return null;
    limit = rawToday(view.features.close, view).minus(money(atr).times(policy.signals_confidence.reversion_limit_atr));
  } else {
    const offset = money(policy.orders_execution.entry_limit_offset_bps).div(10_000);
    limit = money(view.quote.ask ?? view.quote.last).times(offset.plus(1));
  }
  const tick = priceTick(limit, "down");
  if (tick.lte(0)) return null;
  const below = atr === null ? null : tick.minus(money(atr).times(stopMultiple(strategy, policy)));
  const stop = below === null ? null : usd(priceTick(below, "down"));
  return { limit: tick, limitUsd: usd(tick), atr, stop, last, spreadBps: spreadBps(view) };
}

export const entryPrices = rememberTwo((view: SymbolView, policy: Policy) => {
  const known = new Map<StrategyName, EntryPrice | null>();
  return (strategy: StrategyName): EntryPrice | null => {
    if (!known.has(strategy)) known.set(strategy, entryPrice(strategy, view, policy));
    return known.get(strategy)!;
  };
});

export interface Legs {
  stop: Usd;
  target: Usd;
}

/**
 * Stop: the tighter of the user's percentage and the strategy's ATR stop. Target: the user's percentage. Rounding keeps the
 * order of prices, so that the tighter of two rounded stops is the rounded tighter stop.
 */
export function legsOf({ limitUsd, stop }: EntryPrice, state: AccountState, policy: Policy): Legs {
  const { stopFactor, targetFactor } = amountsOf(state, policy);
  const ofUser = tickOf(limitUsd, stopFactor, "down");
  return {
    stop: stop !== null && isLessUsd(ofUser, stop) ? stop : ofUser,
    target: tickOf(limitUsd, targetFactor, "up"),
  };
}
