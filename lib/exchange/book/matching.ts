import { randomUUID } from "node:crypto";
import { least, type Money, money, ZERO } from "../../domain/money.ts";
import { seedOf } from "../market/seeded.ts";
import { recordFillActivity } from "./activities.ts";
import { cancelGroup, followFill, rejectOne } from "./brackets.ts";
import { addFill, type ExchangeState, accountOf, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { executionPrice, quoted, type Touch, wantedQty } from "./execution-price.ts";
import { phaseAt } from "./phase.ts";
import { closableBy, isClosing, settle } from "./positions.ts";
import { isHalted } from "./symbols.ts";
import { type Fill, type AccountState, isFinal, type Order } from "./types.ts";

/** Outside the core hours next to nothing trades: this part of the closing minute's volume. */
const THIN = 0.05;

/** A session's minute, or the time outside the core hours after it. */
interface Slot {
  index: number;
  minute: number;
  isThin: boolean;
}

/** Share of a minute's volume that one account may take: 1 to 10 %, seeded, at least one share. */
function sharesLeft(
  state: ExchangeState,
  accountState: AccountState,
  symbol: string,
  { index, minute, isThin }: Slot,
): number {
  const path = state.view.path(symbol, index);
  const volume = Math.floor((path?.volume[minute] ?? 0) * (isThin ? THIN : 1));
  if (volume === 0) return 0;
  const rate = 0.01 + (0.09 * (seedOf(state.market.seed, "participation", symbol, index, minute) % 1000)) / 999;
  const used = accountState.used.get(symbol);
  const taken = used?.minute === keyOf({ index, minute, isThin }) ? used.qty : 0;
  return Math.max(0, Math.max(1, Math.floor(volume * rate)) - taken);
}

const keyOf = ({ index, minute, isThin }: Slot) => index * 1000 + (isThin ? 999 : minute);

function takeShares(accountState: AccountState, symbol: string, slot: Slot, qty: number): void {
  const key = keyOf(slot);
  const used = accountState.used.get(symbol);
  accountState.used.set(symbol, { minute: key, qty: (used?.minute === key ? used.qty : 0) + qty });
}

function applyFill(state: ExchangeState, order: Order, qty: Money, price: Money, leaves: Money): void {
  const at = state.stamp();
  order.filledQty = order.filledQty.plus(qty);
  order.filledCost = order.filledCost.plus(qty.times(price));
  order.updatedAt = at;
  order.status = leaves.isZero() ? "filled" : "partially_filled";
  if (leaves.isZero()) order.filledAt = at;
  const fill: Fill = {
    id: randomUUID(),
    orderId: order.id,
    accountId: order.accountId,
    symbol: order.symbol,
    side: order.side,
    qty,
    price,
    cumQty: order.filledQty,
    leavesQty: leaves,
    at,
    ...settle(state, order.accountId, order.symbol, order.side, qty, price),
  };
  addFill(state, fill);
  recordFillActivity(state, order, fill);
  saveOrder(state, order);
  emit(state, order, leaves.isZero() ? "fill" : "partial_fill", at, fill);
  followFill(state, order, qty);
}

/** Executes an order at a price for at most the given shares. False when there was nothing to execute. */
function execute(state: ExchangeState, order: Order, price: Money, budget: Money): boolean {
  const accountState = accountOf(state, order.accountId);
  const wanted = wantedQty(order, price);
  const most = isClosing(order) ? closableBy(accountState, order) : wanted;
  const qty = least(least(wanted, budget), most);
  if (qty.lte(0)) {
    cancelGroup(state, order);
    return false;
  }
  // The price ran away from what was reserved: a cash account does not run into debt for it.
  const isUnpaid =
    order.intent === "buy_to_open" && !accountState.account.isMargin && qty.times(price).gt(accountState.account.cash);
  if (isUnpaid) {
    if (order.filledQty.isZero()) rejectOne(state, order);
    cancelGroup(state, order);
    return false;
  }
  // An amount of money may come to more shares than there are to close: with the last of them it is filled.
  const isDone = order.notional !== null && qty.eq(most);
  applyFill(state, order, qty, price, isDone ? ZERO : wanted.minus(qty));
  return true;
}

/** Holds one order against a stretch of the minute path and executes what the minute's volume allows. */
function matchOrder(state: ExchangeState, order: Order, touch: Touch, slot: Slot): void {
  if (isFinal(order) || order.status === "accepted") return;
  if (order.timeInForce === "opg" || order.timeInForce === "cls") return;
  // When a minute is worked off, the clock stands in the next one already.
  if (isHalted(state, order.symbol, slot.isThin ? undefined : slot.minute)) return;
  const wasTriggered = order.isTriggered;
  const price = executionPrice(state, order, touch);
  if (order.isTriggered !== wasTriggered) saveOrder(state, order);
  if (price !== null) executeWithin(state, order, money(String(price)), slot);
}

/** Executes at a price, as far as the account's share of the minute goes. */
export function executeWithin(state: ExchangeState, order: Order, price: Money, slot: Slot): void {
  const accountState = accountOf(state, order.accountId);
  const most = state.interference?.sharesAtMost(order) ?? Infinity;
  const budget = Math.min(sharesLeft(state, accountState, order.symbol, slot), most);
  if (budget <= 0 || (order.timeInForce === "fok" && wantedQty(order, price).gt(budget))) return;
  const before = order.filledQty;
  if (!execute(state, order, price, money(budget))) return;
  takeShares(accountState, order.symbol, slot, Math.ceil(order.filledQty.minus(before).toNumber()));
}

/** Executes all of an order at the last price, whatever the volume. False when it could not be. */
export function fillNow(state: ExchangeState, order: Order): boolean {
  const last = state.view.last(order.symbol);
  if (last === undefined || order.status === "held" || isFinal(order)) return false;
  const price = order.limitPrice ?? money(String(quoted(order, last)));
  return execute(state, order, price, wantedQty(order, price));
}

/** A new order meets the market as it stands: the last price, and the running minute's share of volume. */
export function matchOnArrival(state: ExchangeState, order: Order): void {
  const { index, minutesDone, isOpen, hours, nowMs } = state.view.moment();
  const last = state.view.last(order.symbol);
  if (last === undefined || !state.view.trades(order.symbol)) return;
  const touch = { open: last, high: last, low: last, close: last };
  if (isOpen) matchOrder(state, order, touch, { index, minute: minutesDone, isThin: false });
  else if (order.extendedHours && phaseAt(state.sessions, nowMs).phase !== "closed")
    matchOrder(state, order, touch, { index, minute: hours.minutes - 1, isThin: true });
}

/** Holds every open order against the minute that has just ended; stops go before limits, so that a pair of exits is never kinder than the market. */
export function matchMinute(state: ExchangeState, index: number, minute: number): void {
  for (const [symbol, open] of [...state.openBySymbol]) {
    const path = state.view.path(symbol, index);
    if (path === undefined) continue;
    const touch = {
      open: path.open[minute] as number,
      high: path.high[minute] as number,
      low: path.low[minute] as number,
      close: path.close[minute] as number,
    };
    const isStop = (order: Order) => (order.stopPrice === null ? 1 : 0);
    // An exit that wakes in this minute was not there for the prices from before its entry: it meets the next one.
    const orders = [...open].filter(({ status }) => status !== "held");
    orders.sort((a, b) => isStop(a) - isStop(b) || a.seq - b.seq);
    for (const order of orders) matchOrder(state, order, touch, { index, minute, isThin: false });
  }
}
