import { tripRecord } from "../kelly.ts";
import { greatest, type Money, text, ZERO } from "../money.ts";
import { dayTradesOf } from "../day-trades.ts";
import type { Ledger, RestingLegs } from "./account.ts";
import type { AccountState, HeldPosition, OpenOrderView } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";

export interface Balances {
  equity: Money;
  lastEquity: Money;
  highWaterMark: Money;
  bookVolatility: number | null;
}

/** A stop and a target as orders in flight. */
function ordersOf(legs: RestingLegs): readonly OpenOrderView[] {
  const { order, qty, targetPrice, since, shown } = legs;
  if (shown !== undefined && shown.qty === qty && shown.targetPrice === targetPrice) return shown.orders;
  const view = (role: "STOP" | "TARGET"): OpenOrderView => ({
    clientOrderId: `${order.id}-${role}`,
    symbol: order.symbol,
    side: "SELL",
    role,
    strategy: order.strategy,
    qty: text(qty),
    filledQty: "0",
    limitPrice: role === "TARGET" ? text(targetPrice) : null,
    submittedAt: since,
  });
  legs.shown = { qty, targetPrice, orders: [view("STOP"), view("TARGET")] };
  return legs.shown.orders;
}

function openOrders({ entries, legs }: Ledger): OpenOrderView[] {
  const orders = entries.map(({ order, qty, limitPrice, submittedAt }): OpenOrderView => ({
    clientOrderId: order.id,
    symbol: order.symbol,
    side: "BUY",
    role: "ENTRY",
    strategy: order.strategy,
    qty: text(qty),
    filledQty: "0",
    limitPrice: text(limitPrice),
    submittedAt,
  }));
  for (const pairs of legs.values()) for (const pair of pairs) orders.push(...ordersOf(pair));
  return orders;
}

function reservedFor({ entries }: Ledger): Money {
  return entries.reduce((sum, { qty, limitPrice }) => sum.plus(qty.times(limitPrice)), ZERO);
}

function positionsOf({ positions, legs }: Ledger): HeldPosition[] {
  const held: HeldPosition[] = [];
  for (const [symbol, { book, strategy, openedSession, stopPrice, targetPrice, review, splitBookedOn }] of positions) {
    let covered = ZERO;
    for (const { qty } of legs.get(symbol) ?? []) covered = covered.plus(qty);
    held.push({
      symbol,
      qty: book.qty,
      avgEntryPrice: book.avgPrice ?? "0",
      strategy,
      openedSession,
      stopPrice: text(stopPrice),
      targetPrice: text(targetPrice),
      review,
      ...(splitBookedOn === undefined ? {} : { splitBookedOn }),
      protectedQty: text(covered),
    });
  }
  return held;
}

/** The account as `decide` reads it. Cash less open purchases is the buying power: a backtest borrows nothing. */
export function accountState(
  ledger: Ledger,
  accountId: string,
  preferences: PreferencesView,
  { equity, lastEquity, highWaterMark, bookVolatility }: Balances,
): AccountState {
  return {
    accountId,
    environment: "PAPER",
    status: "ACTIVE",
    hasKeys: true,
    automationOff: null,
    killState: ledger.killState,
    haltReason: null,
    preferences,
    equity: text(equity),
    lastEquity: text(lastEquity),
    cash: text(ledger.cash),
    buyingPower: text(greatest(ZERO, ledger.cash.minus(reservedFor(ledger)))),
    highWaterMark: text(highWaterMark),
    positions: positionsOf(ledger),
    openOrders: openOrders(ledger),
    stopOuts: ledger.stopOuts,
    lossSales: [...ledger.lossSales.values()],
    ordersLastMinute: 0,
    ordersToday: 0,
    dayTrades: dayTradesOf(ledger.recentFills),
    trips: tripRecord(preferences.strategy, ledger.tripMultiples.get(preferences.strategy) ?? []),
    bookVolatility,
  };
}
