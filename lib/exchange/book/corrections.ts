import { randomUUID } from "node:crypto";
import { isDecimalText, type Money, money, ZERO } from "../../domain/money.ts";
import { type ExchangeState, saveAccount, saveOrder, savePosition } from "./state.ts";
import { emitCorrection } from "./events.ts";
import { heldPosition, settle } from "./positions.ts";
import { notFound, unprocessable } from "./refusal.ts";
import { type Activity, type Fill, type AccountState, isFinal, type Order } from "./types.ts";

/** Executions that the venue takes back (bust) or changes (correct) after the fact. */

interface Found {
  accountState: AccountState;
  fill: Fill;
  order: Order;
  activity: Activity;
}

function find(state: ExchangeState, executionId: string): Found {
  for (const accountState of state.accounts.values()) {
    const fill = accountState.fills.find(({ id }) => id === executionId);
    if (fill === undefined) continue;
    const order = state.orders.get(fill.orderId);
    const activity = accountState.activities.find((candidate) => candidate.executionId === executionId);
    if (order === undefined || activity === undefined) break;
    return { accountState, fill, order, activity };
  }
  throw notFound(`execution not found for ${executionId}`);
}

/** Shares that a corporate action has changed since cannot be given back one for one. */
function checkUnchanged(accountState: AccountState, { symbol }: Fill, activity: Activity): void {
  const isChanged = accountState.activities.some(
    ({ seq, wire }) =>
      seq > activity.seq && wire.symbol === symbol && ["SPLIT", "SPIN", "MA", "NC"].includes(wire.activity_type),
  );
  if (isChanged) throw unprocessable("the execution lies before a corporate action");
}

/** Takes the execution out of position and cash. Throws when the shares have gone elsewhere since. */
function undo(state: ExchangeState, accountState: AccountState, fill: Fill): void {
  const position = heldPosition(state, fill.accountId, fill.symbol);
  const change = fill.side === "buy" ? fill.qty : fill.qty.negated();
  const left = position.qty.minus(change);
  const wasLong = fill.isOpening ? fill.side === "buy" : fill.side === "sell";
  if (left.isZero() ? false : left.isNegative() === wasLong)
    throw unprocessable("the shares of the execution have been traded since");
  position.qty = left;
  position.cost = left.isZero() ? ZERO : position.cost.minus(fill.costMoved);
  position.dayCost = left.isZero() ? ZERO : position.dayCost.minus(fill.costMoved);
  accountState.account.cash = accountState.account.cash.plus(change.times(fill.price));
  savePosition(state, position);
  saveAccount(state, accountState.account);
}

function saveActivity(state: ExchangeState, activity: Activity): void {
  state.journal.write("activities", activity.wire.id, activity);
}

/** Takes an execution back: cash and shares return, its activity is canceled, the order has filled that much less. */
export function bustExecution(state: ExchangeState, executionId: string): Order {
  const { accountState, fill, order, activity } = find(state, executionId);
  checkUnchanged(accountState, fill, activity);
  undo(state, accountState, fill);
  accountState.fills.splice(accountState.fills.indexOf(fill), 1);
  state.journal.erase("fills", fill.id);
  activity.wire.status = "canceled";
  saveActivity(state, activity);
  const at = state.stamp();
  order.filledQty = order.filledQty.minus(fill.qty);
  order.filledCost = order.filledCost.minus(fill.qty.times(fill.price));
  order.updatedAt = at;
  // What is over stays over: a busted execution does not send the order to the venue again.
  if (order.status === "filled") {
    order.status = "canceled";
    order.filledAt = null;
    order.canceledAt = at;
  }
  if (!isFinal(order) && order.filledQty.isZero()) order.status = "new";
  saveOrder(state, order);
  emitCorrection(state, order, "trade_bust", at, { ...fill, id: randomUUID() }, executionId);
  return order;
}

function decimalOr(value: string | undefined, fallback: Money, name: string): Money {
  if (value === undefined) return fallback;
  if (!isDecimalText(value) || money(value).lte(0)) throw unprocessable(`invalid ${name}: ${value}`);
  return money(value);
}

/** Changes an execution's price or quantity: as if it had been so from the start, under a new execution id. */
export function correctExecution(
  state: ExchangeState,
  executionId: string,
  change: { qty?: string | undefined; price?: string | undefined },
): Fill {
  const { accountState, fill, order, activity } = find(state, executionId);
  const qty = decimalOr(change.qty, fill.qty, "qty");
  const price = decimalOr(change.price, fill.price, "price");
  if (qty.gt(fill.qty)) throw unprocessable("an execution is not corrected to more than it was");
  checkUnchanged(accountState, fill, activity);
  const was = { ...fill };
  undo(state, accountState, fill);
  state.journal.erase("fills", executionId);
  Object.assign(fill, { qty, price, id: randomUUID() });
  fill.cumQty = fill.cumQty.minus(was.qty).plus(qty);
  Object.assign(fill, settle(state, fill.accountId, fill.symbol, fill.side, qty, price));
  state.journal.write("fills", fill.id, fill);
  Object.assign(activity.wire, { qty: qty.toFixed(), price: price.toFixed(), cum_qty: fill.cumQty.toFixed() });
  activity.wire.status = "corrected";
  activity.executionId = fill.id;
  saveActivity(state, activity);
  order.filledQty = order.filledQty.minus(was.qty).plus(qty);
  order.filledCost = order.filledCost.minus(was.qty.times(was.price)).plus(qty.times(price));
  order.updatedAt = state.stamp();
  saveOrder(state, order);
  emitCorrection(state, order, "trade_correct", order.updatedAt, fill, executionId);
  return fill;
}
