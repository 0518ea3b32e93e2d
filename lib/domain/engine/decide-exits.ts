import { exitReason, protectionOf, reviewPosition } from "../exits.ts";
import { greatest, type Money, money, priceTick, sum, text, wholeShares, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { coverageOf } from "../protection.ts";
import { lastPrice, openBook, positionValue } from "../risk/book.ts";
import { exitGates } from "../risk/exit-gates.ts";
import { failingCodes } from "../gates/gates.ts";
import { grossCap } from "../risk/limits.ts";
import { confidenceOf } from "../strategies/confidence.ts";
import type {
  AccountState,
  HeldPosition,
  MarketView,
  OpenOrderView,
  OrderPurpose,
  PlannedOrder,
  PositionReview,
} from "./plan.ts";
import type { ExitReason } from "./reasons.ts";

export interface ExitPlan {
  orders: PlannedOrder[];
  reviews: { symbol: string; review: PositionReview }[];
}

function remaining(order: OpenOrderView): Money {
  return greatest(ZERO, money(order.qty).minus(order.filledQty));
}

function sellsOf(state: AccountState, symbol: string, roles: readonly string[]): Money {
  const sells = state.openOrders.filter(
    (order) => order.symbol === symbol && order.side === "SELL" && roles.includes(order.role),
  );
  return sum(sells.map(remaining));
}

/** A market sell of everything that is not already on its way out. The shell cancels resting legs first. */
function sellAll(
  position: HeldPosition,
  purpose: OrderPurpose,
  reason: ExitReason,
  state: AccountState,
  market: MarketView,
): PlannedOrder | null {
  const qty = money(position.qty).minus(sellsOf(state, position.symbol, ["EXIT", "EXTERNAL"]));
  if (qty.lte(0)) return null;
  const gates = exitGates(purpose, state, market);
  if (failingCodes(gates).length > 0) return null;
  return {
    leg: 0,
    purpose,
    symbol: position.symbol,
    side: "SELL",
    qty: text(qty),
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    decisionPrice: text(lastPrice(market.symbols[position.symbol]) ?? position.avgEntryPrice),
    reason,
    strategy: position.strategy,
    confidence: null,
    gates,
    atr: null,
  };
}

/**
 * An OCO sell for whole shares that no live stop covers; null when they are covered, on their way out, or less than one.
 * Shares that a person's order reserves are left to it, the rest is protected.
 */
function protect(position: HeldPosition, state: AccountState, market: MarketView): PlannedOrder | null {
  const { symbol, strategy } = position;
  const resting = greatest(sellsOf(state, symbol, ["STOP"]), sellsOf(state, symbol, ["TARGET"]));
  const pendingLegs = resting.gt(position.protectedQty);
  if (pendingLegs || sellsOf(state, symbol, ["EXIT"]).gt(0)) return null;
  const withoutStops = { ...state, openOrders: state.openOrders.filter(({ isStop }) => isStop !== true) };
  const selling = sellsOf(withoutStops, symbol, ["EXTERNAL"]);
  const { bare } = coverageOf({ held: money(position.qty), stopped: money(position.protectedQty), selling });
  const qty = wholeShares(bare);
  if (qty.lt(1)) return null;
  const gates = exitGates("PROTECT", state, market);
  if (failingCodes(gates).length > 0) return null;
  const { stop, target } = protectionOf(position, state.preferences);
  const stopLossPrice = priceTick(stop, "down");
  const takeProfitPrice = priceTick(target, "up");
  if (stopLossPrice.lte(0) || takeProfitPrice.lte(stopLossPrice)) return null;
  return {
    leg: 0,
    purpose: "PROTECT",
    symbol,
    side: "SELL",
    qty: text(qty),
    orderClass: "OCO",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: text(takeProfitPrice),
    stopPrice: null,
    takeProfitPrice: text(takeProfitPrice),
    stopLossPrice: text(stopLossPrice),
    decisionPrice: text(lastPrice(market.symbols[symbol]) ?? position.avgEntryPrice),
    reason: "protect_position",
    strategy,
    confidence: null,
    gates,
    atr: null,
  };
}

/** How sure the engine still is of a holding: as for an entry, 0 for what is no longer known. */
function holdingConfidence(position: HeldPosition, market: MarketView, policy: Policy): number {
  const seat = market.seats.find(({ symbol }) => symbol === position.symbol);
  const percentile = market.symbols[position.symbol]?.momentumPercentile ?? null;
  return confidenceOf(seat?.composite ?? 0, percentile, policy);
}

/**
 * Positions to sell so that gross exposure comes down to the risk_off cap: weakest confidence first, whole positions.
 * Without SPY, or without VIX where the averages alone do not make it, the label is only a precaution: it stops entries,
 * but sells nothing.
 */
function trims(
  kept: HeldPosition[],
  leaving: Money,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): HeldPosition[] {
  const { label, spyClose, vix, votes } = market.regime;
  const isPrecaution = spyClose === null || (vix === null && votes > -policy.signals_confidence.regime_vote_line);
  if (label !== "risk_off" || isPrecaution) return [];
  const cap = money(state.equity).times(grossCap("risk_off", policy));
  let gross = openBook(state, market, policy).gross.minus(leaving);
  const weakestFirst = kept
    .filter(({ strategy }) => strategy !== null)
    .map((position) => ({ position, confidence: holdingConfidence(position, market, policy) }))
    .sort((a, b) => a.confidence - b.confidence || (a.position.symbol < b.position.symbol ? -1 : 1));
  const chosen: HeldPosition[] = [];
  for (const { position } of weakestFirst) {
    if (gross.lte(cap)) break;
    chosen.push(position);
    gross = gross.minus(positionValue(position, market));
  }
  return chosen;
}

/** Everything that sells or protects, before any entry is thought of. Positions that this product did not open are left alone. */
export function decideExits(state: AccountState, market: MarketView, policy: Policy): ExitPlan {
  const held = state.positions.filter(({ qty }) => money(qty).gt(0)).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const reviewed = held.map((position) => ({ position, review: reviewPosition(position, market, policy) }));
  const orders: PlannedOrder[] = [];
  const kept: HeldPosition[] = [];
  let leaving = ZERO;
  for (const { position, review } of reviewed) {
    const isFlattened = state.killState === "FLATTEN" && position.strategy !== null;
    const reason = isFlattened ? "kill_flatten" : exitReason(position, review, market, policy, state.preferences);
    const isGoing = sellsOf(state, position.symbol, ["EXIT"]).gte(position.qty);
    if (reason === null && !isGoing) {
      kept.push(position);
      continue;
    }
    const order = reason === null ? null : sellAll(position, isFlattened ? "FLATTEN" : "EXIT", reason, state, market);
    if (order !== null) orders.push(order);
    if (order !== null || isGoing) leaving = leaving.plus(positionValue(position, market));
    else kept.push(position);
  }
  const trimmed = new Set(trims(kept, leaving, state, market, policy));
  for (const position of trimmed) {
    const order = sellAll(position, "TRIM", "regime_trim", state, market);
    if (order !== null) orders.push(order);
    else trimmed.delete(position);
  }
  for (const position of kept) {
    if (position.strategy === null || trimmed.has(position)) continue;
    const order = protect(position, state, market);
    if (order !== null) orders.push(order);
  }
  return { orders, reviews: reviewed.map(({ position, review }) => ({ symbol: position.symbol, review })) };
}
