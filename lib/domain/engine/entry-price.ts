import type { StrategyName } from "../enums.ts";
import { type Money, money, priceTick } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberOne } from "../remember.ts";
import { amountsOf } from "../risk/amounts.ts";
import { lastPrice, rawToday } from "../risk/book.ts";
import { type ProposedOrder, proposedOrder } from "../gates/gate.ts";
import { exactUsd, isLessUsd, tickOf, type Usd, usd } from "../risk/usd.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import type { AccountState, SymbolView } from "./plan.ts";

/** Bid–ask spread in bps of the middle; null without both sides. */
export function spreadBps(view: SymbolView): number | null {
  const { quote } = view;
  if (quote === null || quote.bid === null || quote.ask === null) return null;
  const [bid, ask] = [money(quote.bid), money(quote.ask)];
  const [bidUsd, askUsd] = [usd(bid), usd(ask)];
  if (typeof bidUsd === "number" && typeof askUsd === "number" && askUsd - bidUsd < COUNT_MOST) {
    // Both whole numbers: their quotient is rounded once, to the same double as the exact one.
    const both = askUsd + bidUsd;
    return both <= 0 ? null : Math.max(0, ((askUsd - bidUsd) * 20_000) / both);
  }
  const middle = bid.plus(ask).div(2);
  return middle.lte(0) ? null : Math.max(0, ask.minus(bid).div(middle).times(1e4).toNumber());
}

/** Times 20,000 this is still a whole number that a double holds. */
const COUNT_MOST = Number.MAX_SAFE_INTEGER / 20_000;

/** ATR of the strategy's stop in today's raw price. */
export function rawAtr(strategy: StrategyName, view: SymbolView): number | null {
  const atr = view.features === null ? null : STRATEGIES[strategy].atr(view.features);
  if (atr === null || view.splitToday === null) return atr;
  return money(atr).div(view.splitToday).toNumber();
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
  /** One share: mostly the smallest order that would be placed. */
  oneShare: ProposedOrder;
}

/** 1 + the offset of an entry's limit from the ask. */
const limitFactor = rememberOne((policy: Policy): Usd =>
  usd(money(policy.orders_execution.entry_limit_offset_bps).div(10_000).plus(1)),
);

/** price − multiple·ATR, rounded down to the increment. Doubles say it where they are not near a step. */
function stopBelow(price: Money, priceUsd: Usd, atr: number, multiple: number): Usd {
  if (typeof priceUsd === "number") {
    const cents = priceUsd / MICROS_OF_CENT - atr * multiple * 100;
    const whole = Math.floor(cents);
    const rest = cents - whole;
    if (cents > 101 && cents < CENTS_MOST && rest > NEAR_STEP && rest < 1 - NEAR_STEP) return whole * MICROS_OF_CENT;
  }
  return usd(priceTick(price.minus(money(atr).times(multiple)), "down"));
}

const MICROS_OF_CENT = 10_000;
/** Cents that a double holds with a millionth of a cent to spare. */
const CENTS_MOST = 1e8;
const NEAR_STEP = 1e-6;

/** Prices of an entry that hold for every account; null without a usable price. */
export function entryPrice(strategy: StrategyName, view: SymbolView, policy: Policy): EntryPrice | null {
  const last = lastPrice(view);
  if (view.quote === null || last === null || last.lte(0)) return null;
  const atr = rawAtr(strategy, view);
  let limitUsd: Usd;
  const bidBelow = STRATEGIES[strategy].bidBelow?.(policy);
  if (bidBelow !== undefined) {
    if (view.features === null || atr === null) return null;
    const below = money(atr).times(bidBelow);
    limitUsd = usd(priceTick(rawToday(view.features.close, view).minus(below), "down"));
  } else limitUsd = tickOf(usd(money(view.quote.ask ?? view.quote.last)), limitFactor(policy), "down");
  if (!isLessUsd(0, limitUsd)) return null;
  const limit = exactUsd(limitUsd);
  return {
    limit,
    limitUsd,
    atr,
    stop: atr === null ? null : stopBelow(limit, limitUsd, atr, STRATEGIES[strategy].stop(policy)),
    last,
    spreadBps: spreadBps(view),
    oneShare: proposedOrder(ONE, limit, limit, last),
  };
}

const ONE = money(1);

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
