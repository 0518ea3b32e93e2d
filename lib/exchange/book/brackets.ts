import { ZERO } from "../../domain/money.ts";
import { type ExchangeState, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { isFinal, type Order } from "./types.ts";

/** All orders of an order's group, the first one included. */
export function groupOf(desk: ExchangeState, order: Order): Order[] {
  const first = order.parentId === null ? order : desk.orders.get(order.parentId);
  if (first === undefined) return [order];
  const legs = first.legIds.map((id) => desk.orders.get(id)).filter((leg) => leg !== undefined);
  return [first, ...legs];
}

/** The other exits of an exit order: they hold the same shares. */
function rivalsOf(desk: ExchangeState, order: Order): Order[] {
  const group = groupOf(desk, order);
  const exits = order.orderClass === "oco" ? group : group.slice(1);
  if (!exits.includes(order)) return [];
  return exits.filter((other) => other !== order && !isFinal(other));
}

export function cancelOne(desk: ExchangeState, order: Order): void {
  const at = desk.stamp();
  order.status = "canceled";
  order.canceledAt = at;
  order.updatedAt = at;
  saveOrder(desk, order);
  emit(desk, order, "canceled", at);
}

/** The venue does not take the order after all. */
export function rejectOne(desk: ExchangeState, order: Order): void {
  const at = desk.stamp();
  order.status = "rejected";
  order.failedAt = at;
  order.updatedAt = at;
  saveOrder(desk, order);
  emit(desk, order, "rejected", at);
}

/** Cancels an order and everything in its group that is still open. */
export function cancelGroup(desk: ExchangeState, order: Order): void {
  for (const member of groupOf(desk, order)) if (!isFinal(member)) cancelOne(desk, member);
}

function activate(desk: ExchangeState, leg: Order, parent: Order): void {
  const at = desk.stamp();
  leg.status = "new";
  leg.qty = parent.filledQty;
  leg.updatedAt = at;
  saveOrder(desk, leg);
  emit(desk, leg, "new", at);
}

/** What a fill means for the rest of its group: exits wake up, the other exit shrinks or goes. */
export function followFill(desk: ExchangeState, order: Order): void {
  if (order.orderClass === "") return;
  if (order.orderClass !== "oco" && order.parentId === null) {
    if (order.status !== "filled") return;
    for (const leg of groupOf(desk, order).slice(1)) if (leg.status === "held") activate(desk, leg, order);
    return;
  }
  for (const rival of rivalsOf(desk, order)) {
    if (order.status === "filled") {
      cancelOne(desk, rival);
    } else {
      rival.qty = rival.filledQty.plus((order.qty ?? ZERO).minus(order.filledQty));
      rival.updatedAt = order.updatedAt;
      saveOrder(desk, rival);
    }
  }
}
