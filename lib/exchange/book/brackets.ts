import { greatest, type Money, ZERO } from "../../domain/money.ts";
import { type ExchangeState, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { isFinal, type Order } from "./types.ts";

/** All orders of an order's group, the first one included. */
export function groupOf(state: ExchangeState, order: Order): Order[] {
  const first = order.parentId === null ? order : state.orders.get(order.parentId);
  if (first === undefined) return [order];
  const legs = first.legIds.map((id) => state.orders.get(id)).filter((leg) => leg !== undefined);
  return [first, ...legs];
}

/** The other exits of an exit order: they hold the same shares. */
function rivalsOf(state: ExchangeState, order: Order): Order[] {
  const group = groupOf(state, order);
  const exits = order.orderClass === "oco" ? group : group.slice(1);
  if (!exits.includes(order)) return [];
  return exits.filter((other) => other !== order && !isFinal(other));
}

export function cancelOne(state: ExchangeState, order: Order): void {
  const at = state.stamp();
  order.status = "canceled";
  order.canceledAt = at;
  order.updatedAt = at;
  saveOrder(state, order);
  emit(state, order, "canceled", at);
}

/** The venue does not take the order after all. */
export function rejectOne(state: ExchangeState, order: Order): void {
  const at = state.stamp();
  order.status = "rejected";
  order.failedAt = at;
  order.updatedAt = at;
  saveOrder(state, order);
  emit(state, order, "rejected", at);
}

/** Cancels an order and everything in its group that is still open. */
export function cancelGroup(state: ExchangeState, order: Order): void {
  for (const member of groupOf(state, order)) if (!isFinal(member)) cancelOne(state, member);
}

/** The orders that an order replaced, the last one first. */
export function replacedBefore(state: ExchangeState, { replaces }: Order): Order[] {
  const earlier = replaces === null ? undefined : state.orders.get(replaces);
  return earlier === undefined ? [] : [earlier, ...replacedBefore(state, earlier)];
}

/** What an order and those that it replaced have traded, in today's shares: what was filled before a replacement stays with the old order. */
export function filledWithReplaced(state: ExchangeState, order: Order): Money {
  return replacedBefore(state, order).reduce(
    (total, { filledQty, splitSince }) => total.plus(filledQty.times(splitSince).toDecimalPlaces(9)),
    order.filledQty,
  );
}

function activate(state: ExchangeState, leg: Order, parent: Order): void {
  const at = state.stamp();
  leg.status = "new";
  leg.qty = filledWithReplaced(state, parent);
  leg.updatedAt = at;
  saveOrder(state, leg);
  emit(state, leg, "new", at);
}

const leftOf = (order: Order): Money => (order.qty ?? ZERO).minus(order.filledQty);

/** What a fill means for the rest of its group: exits wake up, the other exit shrinks to what is still held, or goes. */
export function followFill(state: ExchangeState, order: Order, filled: Money): void {
  if (order.orderClass === "") return;
  if (order.orderClass !== "oco" && order.parentId === null) {
    if (order.status !== "filled") return;
    for (const leg of groupOf(state, order).slice(1)) if (leg.status === "held") activate(state, leg, order);
    return;
  }
  for (const rival of rivalsOf(state, order)) {
    // Replaced exits may be of different quantities: the larger one tells what the group held.
    const held = greatest(leftOf(order).plus(filled), leftOf(rival)).minus(filled);
    if (held.lte(0)) {
      cancelOne(state, rival);
    } else if (held.lt(leftOf(rival))) {
      rival.qty = rival.filledQty.plus(held);
      rival.updatedAt = order.updatedAt;
      saveOrder(state, rival);
    }
  }
}
