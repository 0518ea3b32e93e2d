import { exitReason, protectionOf, reviewPosition } from "../exits.ts";
import { greatest, type Money, money, priceTick, text, wholeShares, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { coverageOf, pairOrder } from "../protection.ts";
import { lastPrice, openBook, positionValue, unbookedSplit } from "../risk/book.ts";
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

/** An account's orders to sell, by symbol. */
type Sells = ReadonlyMap<string, readonly OpenOrderView[]>;

function sellsBySymbol({ openOrders }: AccountState): Sells {
  const sells = new Map<string, OpenOrderView[]>();
  for (const order of openOrders) {
    if (order.side !== "SELL") continue;
    const own = sells.get(order.symbol);
    if (own === undefined) sells.set(order.symbol, [order]);
    else own.push(order);
  }
  return sells;
}

/** What orders of a role still sell of a symbol; those alone that `counts`. */
function soldBy(sells: Sells, symbol: string, role: string, counts?: (order: OpenOrderView) => boolean): Money {
  let total = ZERO;
  for (const order of sells.get(symbol) ?? [])
    if (order.role === role && counts?.(order) !== false) total = total.plus(remaining(order));
  return total;
}

interface Situation {
  state: AccountState;
  market: MarketView;
  sells: Sells;
}

/** A market sell of everything that is not already on its way out. The shell cancels resting legs first. */
function sellAll(
  position: HeldPosition,
  purpose: OrderPurpose,
  reason: ExitReason,
  { state, market, sells }: Situation,
): PlannedOrder | null {
  const { symbol } = position;
  const qty = money(position.qty)
    .minus(soldBy(sells, symbol, "EXIT"))
    .minus(soldBy(sells, symbol, "EXTERNAL"));
  if (qty.lte(0)) return null;
  const gates = exitGates(purpose, state, market);
  if (failingCodes(gates).length > 0) return null;
  return {
    leg: 0,
    purpose,
    symbol,
    side: "SELL",
    qty: text(qty),
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    decisionPrice: text(lastPrice(market.symbols[symbol]) ?? position.avgEntryPrice),
    reason,
    strategy: position.strategy,
    confidence: null,
    gates,
    atr: null,
  };
}

/**
 * An OCO sell for whole shares that no live stop covers; null when they are covered, on their way out, or less than one.
 * Shares that a person's order reserves are left to it, the rest is protected. Until a split of the day is booked neither how many
 * shares there are nor where their stop belongs is known.
 */
function protect(position: HeldPosition, { state, market, sells }: Situation): PlannedOrder | null {
  const { symbol, strategy } = position;
  const held = money(position.qty);
  const stopped = money(position.protectedQty);
  // Mostly: nothing is bare then, whatever else sells.
  if (stopped.gte(held)) return null;
  if (unbookedSplit(position, market) !== null) return null;
  const resting = greatest(soldBy(sells, symbol, "STOP"), soldBy(sells, symbol, "TARGET"));
  if (resting.gt(stopped) || soldBy(sells, symbol, "EXIT").gt(0)) return null;
  const selling = soldBy(sells, symbol, "EXTERNAL", ({ isStop }) => isStop !== true);
  const { bare } = coverageOf({ held, stopped, selling });
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
    ...pairOrder(text(stopLossPrice), text(takeProfitPrice)),
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
    .filter((position) => position.strategy !== null && unbookedSplit(position, market) === null)
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
  const sells = sellsBySymbol(state);
  const situation: Situation = { state, market, sells };
  const held = state.positions.filter(({ qty }) => money(qty).gt(0)).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  const reviewed = held.map((position) => ({ position, review: reviewPosition(position, market, policy) }));
  const orders: PlannedOrder[] = [];
  const kept: HeldPosition[] = [];
  let leaving = ZERO;
  for (const { position, review } of reviewed) {
    const isFlattened = state.killState === "FLATTEN" && position.strategy !== null;
    const reason = isFlattened ? "kill_flatten" : exitReason(position, review, market, policy, state.preferences);
    const isGoing = soldBy(sells, position.symbol, "EXIT").gte(position.qty);
    if (reason === null && !isGoing) {
      kept.push(position);
      continue;
    }
    const order = reason === null ? null : sellAll(position, isFlattened ? "FLATTEN" : "EXIT", reason, situation);
    if (order !== null) orders.push(order);
    if (order !== null || isGoing) leaving = leaving.plus(positionValue(position, market));
    else kept.push(position);
  }
  const trimmed = new Set(trims(kept, leaving, state, market, policy));
  for (const position of trimmed) {
    const order = sellAll(position, "TRIM", "regime_trim", situation);
    if (order !== null) orders.push(order);
    else trimmed.delete(position);
  }
  for (const position of kept) {
    if (position.strategy === null || trimmed.has(position)) continue;
    const order = protect(position, situation);
    if (order !== null) orders.push(order);
  }
  return { orders, reviews: reviewed.map(({ position, review }) => ({ symbol: position.symbol, review })) };
}
