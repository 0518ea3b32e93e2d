import { type Money, ZERO } from "../../domain/money.ts";
import { holderOf, saveAccount, savePosition, type Desk } from "./desk.ts";
import type { Holder, Side } from "./types.ts";

/** Moves cash and shares for one execution. */
export function settle(desk: Desk, accountId: string, symbol: string, side: Side, qty: Money, price: Money): Money {
  const holder = holderOf(desk, accountId);
  const amount = qty.times(price);
  const position = holder.positions.get(symbol) ?? { accountId, symbol, qty: ZERO, cost: ZERO, dayCost: ZERO };
  if (side === "buy") {
    holder.account.cash = holder.account.cash.minus(amount);
    position.qty = position.qty.plus(qty);
    position.cost = position.cost.plus(amount);
    position.dayCost = position.dayCost.plus(amount);
  } else {
    holder.account.cash = holder.account.cash.plus(amount);
    const left = position.qty.minus(qty);
    if (left.isNegative()) throw new Error(`${symbol} would be oversold`);
    position.cost = left.isZero() ? ZERO : position.cost.times(left).div(position.qty).toDecimalPlaces(18);
    position.dayCost = left.isZero() ? ZERO : position.dayCost.times(left).div(position.qty).toDecimalPlaces(18);
    position.qty = left;
  }
  savePosition(desk, position);
  saveAccount(desk, holder.account);
  return position.qty;
}

/** Shares kept back by open sell orders; a pair of exits holds the shares once. */
export function heldQty(holder: Holder, symbol: string, except?: string): Money {
  const byGroup = new Map<string, Money>();
  for (const order of holder.open) {
    if (order.symbol !== symbol || order.side !== "sell" || order.status === "held" || order.qty === null) continue;
    const group = order.parentId ?? order.id;
    if (group === except || order.id === except) continue;
    const left = order.qty.minus(order.filledQty);
    const known = byGroup.get(group);
    if (known === undefined || left.gt(known)) byGroup.set(group, left);
  }
  let total = ZERO;
  for (const qty of byGroup.values()) total = total.plus(qty);
  return total;
}
