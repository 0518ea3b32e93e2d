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
import { type AccountState, isFinal, type Order, type Stamp } from "./types.ts";

const byArrival = (a: Order, b: Order) => a.seq - b.seq;

function openOrders(state: ExchangeState): Order[] {
  return [...state.openBySymbol.values()].flatMap((open) => [...open]);
}

/** The morning: what ended in the evening, corporate actions, the opening auction, then the orders that waited. */
export function openSession(state: ExchangeState): void {
  const { hours } = state.view.moment();
  expireDue(state, openOrders(state), (order) => order.expiresAtMs < hours.opensAtMs);
  applyMarketActions(state, hours.date);
  for (const accountState of state.accounts.values()) {
    for (const position of accountState.positions.values()) {
      const before = state.view.previousClose(position.symbol);
      position.dayCost = before === undefined ? position.cost : position.qty.times(String(before));
      state.journal.write("positions", `${position.accountId} ${position.symbol}`, position);
    }
  }
  const waiting = openOrders(state)
    .filter((order) => order.status === "accepted")
    .sort(byArrival);
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

/** Ends orders that are over; an end between two events carries its own time. True when there were any. */
function expireDue(state: ExchangeState, orders: readonly Order[], isDue: (order: Order) => boolean): boolean {
  const { nowMs } = state.view.moment();
  const due = orders.filter(isDue).sort(byArrival);
  for (const order of due) {
    if (isFinal(order)) continue;
    const isNow = order.expiresAtMs === nowMs;
    expire(state, order, isNow ? state.stamp() : new Date(order.expiresAtMs).toISOString().replace("Z", "000000Z"));
  }
  return due.length > 0;
}

/**
 * Ends what is over of an account's orders, before the account is asked about: with extended hours a day ends between two
 * events of the clock. True when an order ended.
 */
export function expireOverdue(state: ExchangeState, accountState: AccountState): boolean {
  const { nowMs } = state.view.moment();
  return expireDue(state, [...accountState.open], (order) => order.expiresAtMs <= nowMs);
}

/** The evening: the closing auction, orders whose life ends, the day's fees, then the day's equity. */
function closeSession(state: ExchangeState): void {
  const { hours, nowMs } = state.view.moment();
  holdAuction(state, "cls");
  expireDue(state, openOrders(state), (order) => order.expiresAtMs <= nowMs);
  for (const accountState of state.accounts.values()) {
    chargeFees(state, accountState);
    const equity = equityOf(state, accountState);
    const { account } = accountState;
    account.priorEquity = account.lastEquity;
    account.priorMaintenance = account.lastMaintenance;
    account.lastEquity = equity;
    account.lastMaintenance = marginsOf(state, accountState).maintenance;
    saveAccount(state, account);
    addMark(state, { accountId: account.id, atMs: nowMs, date: hours.date, equity, isClose: true });
  }
}

/** One minute of the session is over. */
export function endMinute(state: ExchangeState, minute: number): void {
  const { hours, index, nowMs } = state.view.moment();
  // An older journal holds orders that end within a session.
  expireDue(state, openOrders(state), (order) => order.expiresAtMs < nowMs);
  matchMinute(state, index, minute);
  if (minute + 1 >= hours.minutes) closeSession(state);
}
