import { tripRecord } from "../kelly.ts";
import { greatest, type Money, sum, text, ZERO } from "../money.ts";
import { dayTradesOf } from "../day-trades.ts";
import type { Ledger } from "./account.ts";
import type { AccountState } from "../engine/plan.ts";
import type { PreferencesView } from "../preferences.ts";

export interface Balances {
  equity: Money;
  lastEquity: Money;
  highWaterMark: Money;
  bookVolatility: number | null;
}

/** The account as `decide` reads it. Cash is the buying power: a backtest borrows nothing. */
export function accountState(
  ledger: Ledger,
  accountId: string,
  preferences: PreferencesView,
  { equity, lastEquity, highWaterMark, bookVolatility }: Balances,
): AccountState {
  const legs = [...ledger.legs.values()].flat();
  const protectedOf = (symbol: string) => sum((ledger.legs.get(symbol) ?? []).map(({ qty }) => qty));
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
    buyingPower: text(greatest(ZERO, ledger.cash)),
    highWaterMark: text(highWaterMark),
    positions: [...ledger.positions].map(([symbol, held]) => ({
      symbol,
      qty: held.book.qty,
      avgEntryPrice: held.book.avgPrice ?? "0",
      strategy: held.strategy,
      openedSession: held.openedSession,
      stopPrice: text(held.stopPrice),
      targetPrice: text(held.targetPrice),
      review: held.review,
      protectedQty: text(protectedOf(symbol)),
    })),
    openOrders: [
      ...ledger.entries.map(({ order, qty, limitPrice, submittedAt }) => ({
        clientOrderId: order.id,
        symbol: order.symbol,
        side: "BUY" as const,
        role: "ENTRY",
        strategy: order.strategy,
        qty: text(qty),
        filledQty: "0",
        limitPrice: text(limitPrice),
        submittedAt,
      })),
      ...legs.flatMap(({ order, qty, targetPrice, since }) =>
        (["STOP", "TARGET"] as const).map((role) => ({
          clientOrderId: `${order.id}-${role}`,
          symbol: order.symbol,
          side: "SELL" as const,
          role,
          strategy: order.strategy,
          qty: text(qty),
          filledQty: "0",
          limitPrice: role === "TARGET" ? text(targetPrice) : null,
          submittedAt: since,
        })),
      ),
    ],
    stopOuts: ledger.stopOuts,
    lossSales: [...ledger.lossSales].map(([symbol, session]) => ({ symbol, session })),
    ordersLastMinute: 0,
    ordersToday: 0,
    dayTrades: dayTradesOf(ledger.recentFills),
    trips: tripRecord(preferences.strategy, ledger.tripMultiples.get(preferences.strategy) ?? []),
    bookVolatility,
  };
}
