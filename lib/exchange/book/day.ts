import { equityOf } from "./accounts.ts";
import { holdAuction } from "./auctions.ts";
import { applyMarketActions } from "./corporate-actions.ts";
import { addMark, type ExchangeState, saveAccount, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { chargeFees } from "./fees.ts";
import { marginsOf } from "./margin.ts";
import { matchMinute } from "./matching.ts";
import { goLive } from "./orders.ts";
import { isFinal, type Order, type Stamp } from "./types.ts";

function openOrders(desk: ExchangeState): Order[] {
  return [...desk.openBySymbol.values()].flatMap((open) => [...open]).sort((a, b) => a.seq - b.seq);
}

/** The morning: what ended in the evening, corporate actions, the opening auction, then the orders that waited. */
export function openSession(desk: ExchangeState): void {
  const { hours } = desk.view.moment();
  // With extended hours an order's day ends when nobody is looking; the end carries its own time.
  expireDue(desk, (order) => order.expiresAtMs < hours.opensAtMs);
  applyMarketActions(desk, hours.date);
  for (const holder of desk.holders.values()) {
    for (const position of holder.positions.values()) {
      const before = desk.view.previousClose(position.symbol);
      position.dayCost = before === undefined ? position.cost : position.qty.times(String(before));
      desk.journal.write("positions", `${position.accountId} ${position.symbol}`, position);
    }
  }
  const waiting = openOrders(desk).filter((order) => order.status === "accepted");
  holdAuction(desk, "opg");
  for (const order of waiting) if (order.status === "accepted") goLive(desk, order);
}

function expire(desk: ExchangeState, order: Order, at: Stamp): void {
  order.status = "expired";
  order.expiredAt = at;
  order.updatedAt = at;
  saveOrder(desk, order);
  emit(desk, order, "expired", at);
}

function expireDue(desk: ExchangeState, isDue: (order: Order) => boolean): void {
  const { nowMs } = desk.view.moment();
  for (const order of openOrders(desk).filter(isDue)) {
    if (isFinal(order)) continue;
    const isNow = order.expiresAtMs === nowMs;
    expire(desk, order, isNow ? desk.stamp() : new Date(order.expiresAtMs).toISOString().replace("Z", "000000Z"));
  }
}

/** The evening: the closing auction, orders whose life ends, the day's fees, then the day's equity. */
function closeSession(desk: ExchangeState): void {
  const { hours, nowMs } = desk.view.moment();
  holdAuction(desk, "cls");
  expireDue(desk, (order) => order.expiresAtMs <= nowMs);
  for (const holder of desk.holders.values()) {
    chargeFees(desk, holder);
    const equity = equityOf(desk, holder);
    holder.account.lastEquity = equity;
    holder.account.lastMaintenance = marginsOf(desk, holder).maintenance;
    saveAccount(desk, holder.account);
    addMark(desk, { accountId: holder.account.id, atMs: nowMs, date: hours.date, equity, isClose: true });
  }
}

/** One minute of the session is over. */
export function endMinute(desk: ExchangeState, minute: number): void {
  const { hours, index } = desk.view.moment();
  matchMinute(desk, index, minute);
  if (minute + 1 >= hours.minutes) closeSession(desk);
}
