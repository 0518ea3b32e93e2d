import { roundTripCostBps } from "./costs.ts";
import type { StrategyName } from "./enums.ts";
import { kellyRiskFraction } from "./kelly.ts";
import { greatest, least, type Money, money, wholeShares, ZERO } from "./money.ts";
import type { Policy } from "./policy.ts";
import { advRoom, buyingPowerRoom, grossRoom, type LimitInput, nameRooms, sectorRoom } from "./risk/limits.ts";
import { amountsOf } from "./risk/amounts.ts";
import { dollarText, exactUsd, isLessUsd, type Usd, usd, usdNumber } from "./risk/usd.ts";
import { STRATEGIES } from "./strategies/strategies.ts";

export interface SizeInput extends LimitInput {
  strategy: StrategyName;
  /** Highest price the order may pay, raw. */
  limitPrice: Money;
  /** ATR of the strategy's stop in today's raw price; null when not known. */
  atr: number | null;
  /** The stop that will rest, raw; null where no legs are made yet: then the tighter of the user's and the strategy's. */
  stop: Usd | null;
  /** Annualised; null when not known. */
  sigma: number | null;
  /** Null where there is no quote. */
  spreadBps: number | null;
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
  const { state, policy, limitPrice } = input;
  const ofUser = limitPrice.minus(limitPrice.times(exactUsd(amountsOf(state, policy).stopFactor)));
  const ofStrategy = stopDistance(input);
  return ofStrategy === null ? ofUser : least(ofUser, money(ofStrategy));
}

/** What the Kelly bound leaves for the order, USD: its risk is the distance to the stop that will rest. Null where it says nothing. */
function kellyAmount(input: SizeInput): Money | null {
  const { state, policy, strategy, limitPrice, stop } = input;
  const fraction = kellyRiskFraction(state.trips, strategy, policy);
  if (fraction === null) return null;
  const { equity } = amountsOf(state, policy);
  const distance = stop === null ? tighterStop(input) : limitPrice.minus(exactUsd(stop));
  return distance.gt(0) ? equity.times(fraction).div(distance).times(limitPrice) : ZERO;
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

/**
 * The double nearest to each bound, or one within some units of its last place, USD; without Kelly where that says nothing.
 * A bound whose evidence is missing is nothing.
 */
function roughBounds(input: SizeInput): number[] {
  const { state, policy, limitPrice } = input;
  const { about } = amountsOf(state, policy);
  const scale = STRATEGIES[input.strategy].sizeScale(state, policy);
  const stop = stopDistance(input);
  const atRisk = stop === null ? 0 : (about.riskPerTrade / stop) * usdNumber(usd(limitPrice));
  const kelly = kellyAmount(input);
  const { ofUser, ofName } = nameRooms(input);
  const bounds = [
    about.orderSize * scale,
    atRisk * scale,
    about.equity * targetWeight(input) * scale,
    ofUser.about,
    ofName.about,
    sectorRoom(input).about,
    grossRoom(input).about,
    advRoom(input)?.about ?? 0,
    buyingPowerRoom(input).about,
  ];
  if (kelly !== null) bounds.push(kelly.toNumber());
  return bounds;
}

function exactBound(name: BoundName, input: SizeInput): Usd {
  const { state, policy, limitPrice } = input;
  const { equity, orderSize, riskPerTrade } = amountsOf(state, policy);
  switch (name) {
    case "order size":
      return scaled(orderSize, input);
    case "risk per trade": {
      const stop = stopDistance(input);
      return scaled(stop === null ? ZERO : riskPerTrade.div(stop).times(limitPrice), input);
    }
    case "volatility target":
      return scaled(equity.times(targetWeight(input)), input);
    case "max position value":
      return nameRooms(input).ofUser.amount;
    case "name limit":
      return nameRooms(input).ofName.amount;
    case "sector limit":
      return sectorRoom(input).amount;
    case "gross exposure":
      return grossRoom(input).amount;
    case "daily volume":
      return advRoom(input)?.amount ?? 0;
    case "buying power":
      return buyingPowerRoom(input).amount;
    case "Kelly":
      return usd(kellyAmount(input) ?? ZERO);
  }
}

function scaled(amount: Money, input: SizeInput): Usd {
  const scale = STRATEGIES[input.strategy].sizeScale(input.state, input.policy);
  return usd(scale === 1 ? amount : amount.times(scale));
}

/** Every bound in USD, in the order of engine.md §8. */
export function sizeBounds(input: SizeInput): [string, Money][] {
  return roughBounds(input).map((_, place) => [BOUNDS[place]!, exactUsd(exactBound(BOUNDS[place]!, input))]);
}

/**
 * The least bound, the first of equals. Doubles put aside what is larger beyond any rounding of theirs (a billionth);
 * only the few that are left are worked out and compared exactly.
 */
function leastBound(input: SizeInput, bounds: readonly number[]): { name: string; value: Usd } {
  let nearest = Number.POSITIVE_INFINITY;
  for (const about of bounds) if (about < nearest) nearest = about;
  const line = nearest + Math.abs(nearest) * 1e-9;
  let least: { name: string; value: Usd } | null = null;
  for (let place = 0; place < bounds.length; place++) {
    if (bounds[place]! > line) continue;
    const name = BOUNDS[place]!;
    const value = exactBound(name, input);
    if (least === null || isLessUsd(value, least.value)) least = { name, value };
  }
  return least ?? { name: "", value: 0 };
}

/** Whole shares that an amount buys. */
function sharesFor(value: Usd, limitPrice: Money): Money {
  const price = usd(limitPrice);
  if (typeof value !== "number" || typeof price !== "number") return wholeShares(exactUsd(value).div(limitPrice));
  return money((value - (value % price)) / price);
}

/** Why an order of this value is not worth placing; null when it is. */
export function orderRefusal(input: SizeInput, notional: Money): string | null {
  const { policy, strategy, market, symbol, sigma, spreadBps } = input;
  const { min_order_usd, max_cost_of_edge, default_spread_bps } = policy.orders_execution;
  const value = usdNumber(usd(notional));
  // Doubles that differ stand in the order of the decimals that they are nearest to.
  if (value < min_order_usd || (value === min_order_usd && notional.lt(min_order_usd)))
    return `${dollarText(usd(notional))} is below the smallest order of $${min_order_usd.toFixed(2)}`;
  const adv = market.symbols[symbol]?.features?.adv20 ?? null;
  if (adv === null || adv <= 0 || sigma === null) return "cost cannot be told: volume or volatility is not known";
  const costBps = roundTripCostBps(
    {
      notional: value,
      adv,
      sigmaDaily: sigma / Math.sqrt(252),
      spreadBps: spreadBps ?? default_spread_bps,
    },
    policy,
    market.session.date,
  );
  const allowedBps = max_cost_of_edge * STRATEGIES[strategy].edge(policy);
  if (costBps <= allowedBps) return null;
  return `round-trip cost ${costBps.toFixed(1)} bps is above ${allowedBps.toFixed(1)} bps, the part of the edge it may eat`;
}

/** The bounds that say how large an order is meant to be; the others are limits that what is held and in flight leaves. */
const INTENDED: readonly BoundName[] = [
  "order size",
  "risk per trade",
  "volatility target",
  "max position value",
  "name limit",
  "Kelly",
];

/** The least that an order has to be worth beside what was intended, USD. */
function worthwhile({ policy }: SizeInput, bounds: readonly number[]): { intended: number; line: number } {
  let intended = Number.POSITIVE_INFINITY;
  for (const name of INTENDED) intended = Math.min(intended, bounds[BOUNDS.indexOf(name)] ?? Number.POSITIVE_INFINITY);
  return { intended, line: intended * policy.orders_execution.min_order_fraction };
}

/** Why an order that the limits cut is too small a part of what was intended; null when it is not. */
function cutRefusal(input: SizeInput, notional: Money, boundBy: string, bounds: readonly number[]): string | null {
  const { intended, line } = worthwhile(input, bounds);
  if (notional.toNumber() >= line) return null;
  const percent = (input.policy.orders_execution.min_order_fraction * 100).toFixed(0);
  return `${boundBy} leaves ${notional.toFixed(2)} USD, less than ${percent} % of the intended ${intended.toFixed(2)} USD`;
}

/** Whole shares of the smallest order that would be placed: what the gates are asked about where the size comes out as nothing. */
export function smallestOrder(input: SizeInput): Money {
  const { line } = worthwhile(input, roughBounds(input));
  const least = Math.max(line, input.policy.orders_execution.min_order_usd);
  return greatest(ONE, money(least).div(input.limitPrice).ceil());
}

const ONE = money(1);

/** Whole shares within the least of the bounds (engine.md §8), or nothing with the reason. */
export function sizeEntry(input: SizeInput): SizeResult {
  const bounds = roughBounds(input);
  const { name: boundBy, value } = leastBound(input, bounds);
  const qty = isLessUsd(0, value) ? sharesFor(value, input.limitPrice) : ZERO;
  if (qty.isZero()) {
    const refusal = `${boundBy} leaves ${dollarText(value)}, less than one share`;
    return { qty: ZERO, notional: ZERO, boundBy, refusal };
  }
  const notional = qty.times(input.limitPrice);
  const refusal = cutRefusal(input, notional, boundBy, bounds) ?? orderRefusal(input, notional);
  return refusal === null ? { qty, notional, boundBy, refusal } : { qty: ZERO, notional: ZERO, boundBy, refusal };
}
