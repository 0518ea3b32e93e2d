import { equityOf } from "./accounts.ts";
import { holdAuction } from "./auctions.ts";
import { groupOf } from "./brackets.ts";
import { applyMarketActions } from "./corporate-actions.ts";
import { addMark, type ExchangeState, saveAccount, saveOrder } from "./state.ts";
import { emit } from "./events.ts";
import { chargeFees } from "./fees.ts";
import { marginsOf } from "./margin.ts";
import { matchMinute } from "./matching.ts";
import { goLive } from "./orders.ts";
import { isFinal, type Order, type Stamp } from "./types.ts";

function openOrders(state: ExchangeState): Order[] {
  return [...state.openBySymbol.values()].flatMap((open) => [...open]).sort((a, b) => a.seq - b.seq);
}

/** The morning: what ended in the evening, corporate actions, the opening auction, then the orders that waited. */
export function openSession(state: ExchangeState): void {
  const { hours } = state.view.moment();
  // With extended hours an order's day ends between two events; its end carries its own time.
  expireDue(state, (order) => order.expiresAtMs < hours.opensAtMs);
  applyMarketActions(state, hours.date);
  for (const accountState of state.accounts.values()) {
    for (const position of accountState.positions.values()) {
      const before = state.view.previousClose(position.symbol);
      position.dayCost = before === undefined ? position.cost : position.qty.times(String(before));
      state.journal.write("positions", `${position.accountId} ${position.symbol}`, position);
    }
  }
  const waiting = openOrders(state).filter((order) => order.status === "accepted");
  holdAuction(state, "opg");
  for (const order of waiting) if (order.status === "accepted") goLive(state, order);
}

function expire(state: ExchangeState, order: Order, at: Stamp): void {
  order.status = "expired";
  order.expiredAt = at;
  order.updatedAt = at;
  saveOrder(state, order);
  emit(state, order, "expired", at);
  // What waited for the order to fill waits for nothing now.
  for (const member of groupOf(state, order)) if (member.status === "held") expire(state, member, at);
}

function expireDue(state: ExchangeState, isDue: (order: Order) => boolean): void {
  const { nowMs } = state.view.moment();
  for (const order of openOrders(state).filter(isDue)) {
    if (isFinal(order)) continue;
    const isNow = order.expiresAtMs === nowMs;
    expire(state, order, isNow ? state.stamp() : new Date(order.expiresAtMs).toISOString().replace("Z", "000000Z"));
  }
}

/** The evening: the closing auction, orders whose life ends, the day's fees, then the day's equity. */
function closeSession(state: ExchangeState): void {
  const { hours, nowMs } = state.view.moment();
  holdAuction(state, "cls");
  expireDue(state, (order) => order.expiresAtMs <= nowMs);
  for (const accountState of state.accounts.values()) {
    chargeFees(state, accountState);
    const equity = equityOf(state, accountState);
    accountState.account.lastEquity = equity;
    accountState.account.lastMaintenance = marginsOf(state, accountState).maintenance;
    saveAccount(state, accountState.account);
    addMark(state, { accountId: accountState.account.id, atMs: nowMs, date: hours.date, equity, isClose: true });
  }
}

/** One minute of the session is over. */
export function endMinute(state: ExchangeState, minute: number): void {
  const { hours, index } = state.view.moment();
  matchMinute(state, index, minute);
  if (minute + 1 >= hours.minutes) closeSession(state);
}
