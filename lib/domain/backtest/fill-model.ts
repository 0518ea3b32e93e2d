import { oneWayCostBps, sellFees } from "../costs.ts";
import type { SideName } from "../enums.ts";
import { cents, greatest, least, type Money, money, priceTick, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";

/** One session of one symbol, raw prices. */
export interface DayBar {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** A resting stop and target that cancel each other, as prices per share. */
export interface ProtectiveLegs {
  stopPrice: Money;
  targetPrice: Money;
}

export interface LegFill {
  leg: "STOP" | "TARGET";
  price: Money;
}

/** The spread just after the open is three times that of the day. */
const SPREAD_AT_OPEN = 3;
const SESSION_MINUTES = 390;

export interface AfterOpen {
  side: SideName;
  bar: DayBar;
  /** Volatility of one session, fraction; null when not known: then 2 %. */
  sigmaDaily: number | null;
  /** Of the standard normal distribution, by chance: how far the price has gone since the open. */
  noise: number;
}

/**
 * The price that an order meets which is decided some minutes after the open: open·(1 ± ½·spread at the open + σ·√(minutes/390)·noise)
 * (engine.md §10), rounded to the increment against the order. No fill lies beyond the session's own prices: a buy pays at
 * least the low, a sell gets at most the high.
 */
export function priceAfterOpen({ side, bar, sigmaDaily, noise }: AfterOpen, policy: Policy): Money {
  const { orders_execution, pretrade_filters } = policy;
  const halfSpread = (SPREAD_AT_OPEN * orders_execution.default_spread_bps) / 2 / 10_000;
  const moved = (sigmaDaily ?? SIGMA_UNKNOWN) * Math.sqrt(pretrade_filters.open_minutes / SESSION_MINUTES) * noise;
  const isBuy = side === "BUY";
  const price = money(bar.open).times(1 + moved + (isBuy ? halfSpread : -halfSpread));
  return isBuy ? priceTick(greatest(money(bar.low), price), "up") : priceTick(least(money(bar.high), price), "down");
}

/** The bid beside the price that a buy meets after the open: the spread below it, and within the session's own prices. */
export function bidAfterOpen(price: Money, bar: DayBar, { orders_execution }: Policy): Money {
  const spread = money(SPREAD_AT_OPEN * orders_execution.default_spread_bps).div(10_000);
  return greatest(money(bar.low), price.times(money(1).minus(spread)));
}

/**
 * The price of a buy limit that rests after the open: the limit, once the low touches it. A low that is the open itself was
 * seen before the order came.
 */
export function entryFill(limit: Money, bar: DayBar): Money | null {
  return bar.low < bar.open && limit.gte(bar.low) ? limit : null;
}

/** min(open, stop)·(1 − slip): a stop becomes a market order, so a gap is paid in full (engine.md §10). */
function stopPriceOf(stop: Money, open: number, slipBps: number): Money {
  return least(money(open), stop).times(money(1).minus(money(slipBps).div(10_000)));
}

/**
 * Legs that rested through the night meet the open first: a gap over either is filled there, which needs no knowledge of
 * the rest of the session.
 */
export function legFillAtOpen(legs: ProtectiveLegs, bar: DayBar, slipBps: number): LegFill | null {
  if (legs.stopPrice.gte(bar.open)) return { leg: "STOP", price: stopPriceOf(legs.stopPrice, bar.open, slipBps) };
  return legs.targetPrice.lte(bar.open) ? { leg: "TARGET", price: money(bar.open) } : null;
}

/**
 * Legs within the session. Stop and target in one bar: the stop. The bar of the entry cannot hit its target, because
 * it is not known whether the high came before the entry; it can hit its stop.
 */
export function legFill(legs: ProtectiveLegs, bar: DayBar, slipBps: number, isEntryBar: boolean): LegFill | null {
  if (legs.stopPrice.gte(bar.low)) return { leg: "STOP", price: stopPriceOf(legs.stopPrice, bar.open, slipBps) };
  if (isEntryBar || legs.targetPrice.gt(bar.high)) return null;
  return { leg: "TARGET", price: greatest(money(bar.open), legs.targetPrice) };
}

/** What a fill costs beside its price, USD, each to the cent. */
export interface FillCost {
  /** Half the spread. */
  spread: Money;
  /** Square-root market impact. */
  impact: Money;
  /** Commission, and on sells the regulatory fees of the day. */
  fees: Money;
  total: Money;
}

export interface FillCostInput {
  side: SideName;
  qty: Money;
  price: Money;
  /** Median daily dollar volume, USD; null when not known: then the order is taken to be a hundredth of it. */
  adv: number | null;
  /** Volatility of one session, fraction; null when not known: then 2 %. */
  sigmaDaily: number | null;
  date: SessionDate;
}

const SIGMA_UNKNOWN = 0.02;
const SHARE_UNKNOWN = 0.01;

/**
 * The one-way cost of costs.ts, taken as fees: half the policy's default spread, the impact law and commission, and the
 * regulatory fees of a sell. Limit fills are charged like market fills, so the model errs on the dear side.
 */
export function fillCost(input: FillCostInput, policy: Policy): FillCost {
  const { side, qty, price, date } = input;
  const { default_spread_bps, commission_bps } = policy.orders_execution;
  const notional = qty.times(price);
  const value = notional.toNumber();
  const adv = input.adv === null || input.adv <= 0 ? value / SHARE_UNKNOWN : input.adv;
  const allBps = oneWayCostBps(
    { notional: value, adv, sigmaDaily: input.sigmaDaily ?? SIGMA_UNKNOWN, spreadBps: default_spread_bps },
    policy,
  );
  const spreadBps = default_spread_bps / 2;
  const ofBps = (bps: number) => cents(notional.times(bps).div(10_000));
  const spread = ofBps(spreadBps);
  const impact = ofBps(Math.max(0, allBps - spreadBps - commission_bps));
  const fees = ofBps(commission_bps).plus(side === "SELL" ? sellFees(notional, qty, date) : ZERO);
  return { spread, impact, fees, total: spread.plus(impact).plus(fees) };
}
