import { equityOf } from "./accounts.ts";
import { applyCorporateActions } from "./corporate-actions.ts";
import { addMark, type Desk, saveAccount, saveOrder } from "./desk.ts";
import { emit } from "./events.ts";
import { matchMinute } from "./matching.ts";
import { goLive } from "./orders.ts";
import { isFinal, type Order } from "./types.ts";

/** The morning: corporate actions before the open, then the orders that waited for it. */
export function openSession(desk: Desk): void {
  const { hours } = desk.view.moment();
  applyCorporateActions(desk, hours.date);
  for (const holder of desk.holders.values()) {
    for (const position of holder.positions.values()) {
      const before = desk.view.previousClose(position.symbol);
      position.dayCost = before === undefined ? position.cost : position.qty.times(String(before));
      desk.journal.write("positions", `${position.accountId} ${position.symbol}`, position);
    }
  }
  const waiting = [...desk.openBySymbol.values()]
    .flatMap((open) => [...open])
    .filter((order) => order.status === "accepted");
  waiting.sort((a, b) => a.seq - b.seq);
  for (const order of waiting) if (order.status === "accepted") goLive(desk, order);
}

function expire(desk: Desk, order: Order): void {
  const at = desk.stamp();
  order.status = "expired";
  order.expiredAt = at;
  order.updatedAt = at;
  saveOrder(desk, order);
  emit(desk, order, "expired", at);
}

/** The evening: orders whose life ends, then the day's equity. */
function closeSession(desk: Desk): void {
  const { hours, nowMs } = desk.view.moment();
  const due = [...desk.openBySymbol.values()]
    .flatMap((open) => [...open])
    .filter((order) => order.expiresAtMs <= nowMs);
  due.sort((a, b) => a.seq - b.seq);
  for (const order of due) if (!isFinal(order)) expire(desk, order);
  for (const holder of desk.holders.values()) {
    const equity = equityOf(desk, holder);
    holder.account.lastEquity = equity;
    saveAccount(desk, holder.account);
    addMark(desk, { accountId: holder.account.id, atMs: nowMs, date: hours.date, equity, isClose: true });
  }
}

const MARK_EVERY_MINUTES = 15;

/** One minute of the session is over. */
export function endMinute(desk: Desk, minute: number): void {
  const { hours, index, nowMs } = desk.view.moment();
  matchMinute(desk, index, minute);
  if (minute + 1 >= hours.minutes) {
    closeSession(desk);
    return;
  }
  if ((minute + 1) % MARK_EVERY_MINUTES !== 0) return;
  for (const holder of desk.holders.values()) {
    // A cash-only account's line is flat between its closes.
    if (holder.positions.size === 0) continue;
    addMark(desk, {
      accountId: holder.account.id,
      atMs: nowMs,
      date: hours.date,
      equity: equityOf(desk, holder),
      isClose: false,
    });
  }
}
