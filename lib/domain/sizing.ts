import { roundTripCostBps } from "./costs.ts";
import { besideLine, dollarsBeside } from "./beside-line.ts";
import { dollarText } from "./dollars.ts";
import type { StrategyName } from "./enums.ts";
import { percentText } from "./gates/texts.ts";
import { estimated, least, type Money, money, ZERO } from "./money.ts";
import type { Policy } from "./policy.ts";
import { buyingPowerRoom, grossRoom, type LimitInput, nameRooms, sectorRoom } from "./risk/limits.ts";
import type { Room } from "./risk/room.ts";
import { STRATEGIES } from "./strategies/strategies.ts";

export interface SizeInput extends LimitInput {
  strategy: StrategyName;
  /** Highest price the order may pay, raw. */
  limitPrice: Money;
  /** ATR of the strategy's stop in today's raw price; null when not known. */
  atr: number | null;
  /** The stop that will rest, raw; null where no legs are made yet: then the tighter of the user's and the strategy's. */
  stop: Money | null;
  /** Annualised; null when not known. */
  sigma: number | null;
  /** Null where the quote lacks a side: the cost of an order cannot be told then. */
  spreadBps: number | null;
  /** Part of the stock's own dollar volume; null when it is not known. */
  volumeRoom: Room | null;
}

export interface SizeResult {
  /** Whole shares; 0 when refused. */
  qty: Money;
  notional: Money;
  /** The bound that decided. */
  boundBy: string;
  /** Why there is no order; null when there is one. */
  refusal: string | null;
}

/** Part of equity at which one of `target_names` equal risks meets the volatility target; `sigma` is annualised. */
export function volatilityTargetWeight(sigma: number, policy: Policy): number {
  const { target_volatility, target_names } = policy.portfolio_limits;
  return target_volatility / Math.sqrt(target_names) / sigma;
}

/** Distance of the strategy's stop from the price, USD; null when it is not known. */
function stopDistance({ strategy, policy, atr }: SizeInput): number | null {
  return atr === null || atr <= 0 ? null : STRATEGIES[strategy].stop(policy) * atr;
}

/** Distance of the tighter of the user's and the strategy's stop, USD. */
function tighterStop(input: SizeInput): Money {
  const { book, limitPrice } = input;
  const ofUser = limitPrice.minus(limitPrice.times(book.amounts.stopFactor));
  const ofStrategy = stopDistance(input);
  return ofStrategy === null ? ofUser : least(ofUser, estimated(ofStrategy));
}

/** What the Kelly bound leaves for the order, USD: its risk is the distance to the stop that will rest. Null where it says nothing. */
function kellyAmount(input: SizeInput): Money | null {
  const { state, book, strategy, limitPrice, stop } = input;
  const fraction = strategy === state.trips.strategy ? book.amounts.kellyFraction() : null;
  if (fraction === null) return null;
  const distance = stop === null ? tighterStop(input) : limitPrice.minus(stop);
  return distance.gt(0) ? estimated(book.amounts.equity.toNumber() * fraction * limitPrice.over(distance)) : ZERO;
}

function targetWeight({ sigma, policy }: SizeInput): number {
  return sigma === null || sigma <= 0 ? 0 : volatilityTargetWeight(sigma, policy);
}

/** The bounds in the order of engine.md §8. */
const BOUNDS = [
  "order size",
  "risk per trade",
  "volatility target",
  "max position value",
  "name limit",
  "sector limit",
  "gross exposure",
  "daily volume",
  "buying power",
  "Kelly",
] as const;
type BoundName = (typeof BOUNDS)[number];

/** The bounds in USD, by place in BOUNDS; without Kelly where that says nothing. A bound whose evidence is missing is nothing. */
export function boundsOf(input: SizeInput): Money[] {
  const { state, policy, book, limitPrice } = input;
  const { equity, orderSize, riskPerTrade } = book.amounts;
  const scale = STRATEGIES[input.strategy].sizeScale(state, policy);
  const stop = stopDistance(input);
  const atRisk = stop === null ? 0 : (riskPerTrade.toNumber() / stop) * limitPrice.toNumber();
  const kelly = kellyAmount(input);
  const { ofUser, ofName } = nameRooms(input);
  const bounds = [
    scale === 1 ? orderSize : estimated(orderSize.toNumber() * scale),
    estimated(atRisk * scale),
    estimated(equity.toNumber() * targetWeight(input) * scale),
    ofUser.amount,
    ofName.amount,
    sectorRoom(input).amount,
    grossRoom(input).amount,
    input.volumeRoom?.amount ?? ZERO,
    buyingPowerRoom(input).amount,
  ];
  if (kelly !== null) bounds.push(kelly);
  return bounds;
}

/** Every bound in USD, in the order of engine.md §8. */
export function sizeBounds(input: SizeInput): [string, Money][] {
  return boundsOf(input).map((value, place) => [BOUNDS[place]!, value]);
}

/** The place of the least bound, the first of equals. */
function leastBound(bounds: readonly Money[]): number {
  let place = 0;
  for (let other = 1; other < bounds.length; other++) if (bounds[other]!.lt(bounds[place]!)) place = other;
  return place;
}

/** Why an order of this value is not worth placing; null when it is. */
export function orderRefusal(input: SizeInput, notional: Money): string | null {
  const { policy, strategy, market, symbol, sigma, spreadBps } = input;
  const { min_order_usd, max_cost_of_edge } = policy.orders_execution;
  if (notional.lt(min_order_usd))
    return dollarsBeside(notional, min_order_usd).join(" is below the smallest order of ");
  const adv = market.symbols[symbol]?.features?.adv20 ?? null;
  if (adv === null || adv <= 0 || sigma === null) return "cost cannot be told: volume or volatility is not known";
  if (spreadBps === null) return "cost cannot be told: the quote has no bid or no ask";
  const costBps = roundTripCostBps(
    {
      notional: notional.toNumber(),
      adv,
      sigmaDaily: sigma / Math.sqrt(252),
      spreadBps,
    },
    policy,
    market.session.date,
  );
  const allowedBps = max_cost_of_edge * STRATEGIES[strategy].edge(policy);
  if (costBps <= allowedBps) return null;
  const [cost, allowed] = besideLine(costBps, allowedBps, 1, 1);
  return `round-trip cost ${cost} bps is above ${allowed} bps, the part of the edge it may eat`;
}

/** The bounds that say how large an order is meant to be; the others are limits that what is held and in flight leaves. */
const INTENDED = (
  [
    "order size",
    "risk per trade",
    "volatility target",
    "max position value",
    "name limit",
    "Kelly",
  ] satisfies BoundName[]
).map((name) => BOUNDS.indexOf(name));

/** The least that an order has to be worth beside what was intended, USD. */
function worthwhile({ policy }: SizeInput, bounds: readonly Money[]): { intended: number; line: number } {
  let intended = Number.POSITIVE_INFINITY;
  for (const place of INTENDED) intended = Math.min(intended, bounds[place]?.toNumber() ?? Number.POSITIVE_INFINITY);
  return { intended, line: intended * policy.orders_execution.min_order_fraction };
}

/** Why an order that the limits cut is too small a part of what was intended; null when it is not. */
function cutRefusal(input: SizeInput, qty: Money, place: number, bounds: readonly Money[]): string | null {
  const { intended, line } = worthwhile(input, bounds);
  const notional = qty.times(input.limitPrice);
  if (notional.toNumber() >= line) return null;
  const [boundBy, room] = [BOUNDS[place]!, bounds[place]!];
  const part = percentText(input.policy.orders_execution.min_order_fraction);
  const of = `which is ${part} of the intended ${dollarText(money(intended))}`;
  if (room.toNumber() < line) {
    const [left, least] = dollarsBeside(room, line);
    return `${boundBy} leaves ${left}, less than ${least}, ${of}`;
  }
  // The limit leaves enough; whole shares within it do not come to it.
  const [is, least] = dollarsBeside(notional, line);
  const shares = qty.eq(1) ? `1 share for ${is} is` : `${qty.toFixed()} shares for ${is} are`;
  return `${boundBy} leaves ${dollarText(room)}: ${shares} less than ${least}, ${of}`;
}

/** Whole shares of the smallest order that would be placed: what the gates are asked about where the size comes out as nothing. */
export function smallestOrder(input: SizeInput, bounds: readonly Money[]): Money {
  const { line } = worthwhile(input, bounds);
  const least = Math.max(line, input.policy.orders_execution.min_order_usd);
  return money(Math.max(1, Math.ceil(money(least).over(input.limitPrice))));
}

/** Whole shares within the least of the bounds (engine.md §8), or nothing with the reason. */
export function sizeEntry(input: SizeInput, bounds: readonly Money[] = boundsOf(input)): SizeResult {
  const place = leastBound(bounds);
  const [boundBy, value] = [BOUNDS[place]!, bounds[place]!];
  const qty = value.gt(0) ? value.wholes(input.limitPrice) : ZERO;
  if (qty.isZero()) {
    const refusal = `${boundBy} leaves ${dollarText(value)}, less than one share`;
    return { qty: ZERO, notional: ZERO, boundBy, refusal };
  }
  const notional = qty.times(input.limitPrice);
  const refusal = cutRefusal(input, qty, place, bounds) ?? orderRefusal(input, notional);
  return refusal === null ? { qty, notional, boundBy, refusal } : { qty: ZERO, notional: ZERO, boundBy, refusal };
}
