import type { AccountState, StrategyName } from "./engine/plan.ts";
import { roundTripCostBps } from "./costs.ts";
import { type Money, wholeShares, ZERO } from "./money.ts";
import type { Policy } from "./policy.ts";
import {
  advRoom,
  buyingPowerRoom,
  grossRoom,
  type LimitInput,
  nameRoom,
  sectorRoom,
  userPositionRoom,
} from "./risk/limits.ts";
import { amountsOf } from "./risk/amounts.ts";
import { stopMultiple } from "./strategies/strategy.ts";

export interface SizeInput extends LimitInput {
  strategy: StrategyName;
  /** Highest price the order may pay, raw. */
  limitPrice: Money;
  /** ATR of the strategy's stop in today's raw price; null when not known. */
  atr: number | null;
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

/**
 * Quarter Kelly from closed round trips: p is the lower one-sided bound of the win rate (Wilson 1927), b = mean win over
 * mean loss, f = p − (1 − p)/b. Null below the minimum of trips; a missing mean is no edge.
 */
export function kellyFraction(trips: AccountState["trips"], policy: Policy): number | null {
  const { kelly_min_trips, kelly_z: z, kelly_fraction } = policy.portfolio_limits;
  const { count: n, wins, meanWin, meanLoss } = trips;
  if (n < kelly_min_trips) return null;
  if (meanWin === null) return 0;
  const rate = wins / n;
  const centre = rate + (z * z) / (2 * n);
  const spread = z * Math.sqrt((rate * (1 - rate)) / n + (z * z) / (4 * n * n));
  const p = (centre - spread) / (1 + (z * z) / n);
  const odds = meanLoss === null || meanLoss === 0 ? Number.POSITIVE_INFINITY : Math.abs(meanWin / meanLoss);
  return Math.max(0, kellyBet(p, odds) * kelly_fraction);
}

/** The whole Kelly bet f = p − (1 − p)/b for a win rate p and b = mean win over mean loss (Kelly 1956); negative without an edge. */
export function kellyBet(winRate: number, odds: number): number {
  return winRate - (1 - winRate) / odds;
}

/** Part of equity at which one of `target_names` equal risks meets the volatility target; `sigma` is annualised. */
export function volatilityTargetWeight(sigma: number, policy: Policy): number {
  const { target_volatility, target_names } = policy.portfolio_limits;
  return target_volatility / Math.sqrt(target_names) / sigma;
}

/** Mean reversion trades half size; the momentum book is scaled down to its volatility target, never up (Barroso & Santa-Clara 2015). */
function strategyScale({ state, strategy, policy }: SizeInput): number {
  if (strategy === "MEAN_REVERSION") return policy.signals_confidence.reversion_size;
  const { bookVolatility } = state;
  if (strategy !== "MOMENTUM" || bookVolatility === null || bookVolatility <= 0) return 1;
  return Math.min(1, policy.portfolio_limits.momentum_book_volatility / bookVolatility);
}

/** Every bound in USD, in the order of engine.md §8. A bound whose evidence is missing is nothing. */
export function sizeBounds(input: SizeInput): [string, Money][] {
  const { state, policy, strategy, limitPrice, atr, sigma } = input;
  const { equity, orderSize, riskPerTrade } = amountsOf(state, policy);
  const scale = strategyScale(input);
  const scaled = (value: Money) => (scale === 1 ? value : value.times(scale));
  const riskShares = atr === null || atr <= 0 ? ZERO : riskPerTrade.div(stopMultiple(strategy, policy) * atr);
  const weight = sigma === null || sigma <= 0 ? 0 : volatilityTargetWeight(sigma, policy);
  const kelly = kellyFraction(state.trips, policy);
  const bounds: [string, Money][] = [
    ["order size", scaled(orderSize)],
    ["risk per trade", scaled(riskShares.times(limitPrice))],
    ["volatility target", scaled(equity.times(weight))],
    ["max position value", userPositionRoom(input)],
    ["name limit", nameRoom(input)],
    ["sector limit", sectorRoom(input)],
    ["gross exposure", grossRoom(input)],
    ["daily volume", advRoom(input) ?? ZERO],
    ["buying power", buyingPowerRoom(input)],
  ];
  if (kelly !== null) bounds.push(["Kelly", scaled(equity.times(kelly))]);
  return bounds;
}

/** Gross edge that a trade of the strategy is expected to make, bps. */
export function expectedEdgeBps(strategy: StrategyName, policy: Policy): number {
  const edges: Record<StrategyName, number> = {
    MOMENTUM: policy.orders_execution.expected_edge_bps_momentum,
    MEAN_REVERSION: policy.orders_execution.expected_edge_bps_mean_reversion,
    BREAKOUT: policy.orders_execution.expected_edge_bps_breakout,
  };
  return edges[strategy];
}

/** Why an order of this value is not worth placing; null when it is. */
export function orderRefusal(input: SizeInput, notional: Money): string | null {
  const { policy, strategy, market, symbol, sigma, spreadBps } = input;
  const { min_order_usd, max_cost_of_edge, default_spread_bps } = policy.orders_execution;
  if (notional.lt(min_order_usd))
    return `${notional.toFixed(2)} USD is below the smallest order of ${min_order_usd} USD`;
  const adv = market.symbols[symbol]?.features?.adv20 ?? null;
  if (adv === null || adv <= 0 || sigma === null) return "cost cannot be told: volume or volatility is not known";
  const costBps = roundTripCostBps(
    {
      notional: notional.toNumber(),
      adv,
      sigmaDaily: sigma / Math.sqrt(252),
      spreadBps: spreadBps ?? default_spread_bps,
    },
    policy,
    market.session.date,
  );
  const allowedBps = max_cost_of_edge * expectedEdgeBps(strategy, policy);
  if (costBps <= allowedBps) return null;
  return `round-trip cost ${costBps.toFixed(1)} bps is above ${allowedBps.toFixed(1)} bps, the part of the edge it may eat`;
}

/** Whole shares within the least of the bounds (engine.md §8), or nothing with the reason. */
export function sizeEntry(input: SizeInput): SizeResult {
  let [boundBy, value] = ["", ZERO];
  for (const [name, bound] of sizeBounds(input)) {
    if (boundBy === "" || bound.lt(value)) [boundBy, value] = [name, bound];
  }
  const qty = value.gt(0) ? wholeShares(value.div(input.limitPrice)) : ZERO;
  const notional = qty.times(input.limitPrice);
  if (qty.lt(1)) {
    const refusal = `${boundBy} leaves ${value.toFixed(2)} USD, less than one share`;
    return { qty: ZERO, notional: ZERO, boundBy, refusal };
  }
  const refusal = orderRefusal(input, notional);
  return refusal === null ? { qty, notional, boundBy, refusal } : { qty: ZERO, notional: ZERO, boundBy, refusal };
}
