import { oneWayCostBps, sellFees } from "../costs.ts";
import { cents, greatest, least, type Money, money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { SessionDate } from "../time.ts";
import type { SideName } from "./plan.ts";

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

/** The price of a buy limit at the open: the open, when it is at or below the limit; null when it is not. */
export function entryFillAtOpen(limit: Money, bar: DayBar): Money | null {
  return limit.gte(bar.open) ? money(bar.open) : null;
}

/** The price of a buy limit in the whole session: the open if that is good enough, else the limit once the low touches it. */
export function entryFill(limit: Money, bar: DayBar): Money | null {
  return entryFillAtOpen(limit, bar) ?? (limit.gte(bar.low) ? limit : null);
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
 * nobody knows whether the high came before the entry; it can hit its stop.
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
