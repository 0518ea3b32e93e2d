import { clientOrderId } from "../ids.ts";
import type { SessionDate } from "../time.ts";
import type { Ledger, RestingLegs } from "./account.ts";
import type { BacktestOrder } from "./result.ts";
import type { PlannedOrder } from "../engine/plan.ts";

/** Enters a planned order into the list of orders; its id follows from session and leg. */
export function acceptOrder(
  ledger: Ledger,
  planned: PlannedOrder,
  accountId: string,
  session: SessionDate,
): BacktestOrder {
  const { leg, purpose, symbol, side, qty, type, timeInForce, limitPrice, stopLossPrice, takeProfitPrice } = planned;
  const { decisionPrice, reason, strategy, confidence } = planned;
  const order: BacktestOrder = {
    id: clientOrderId(session, accountId, leg, 1),
    session,
    symbol,
    purpose,
    side,
    qty,
    type,
    timeInForce,
    limitPrice,
    stopLossPrice,
    takeProfitPrice,
    decisionPrice,
    reason,
    strategy,
    confidence,
    status: "WORKING",
    closedSession: null,
  };
  ledger.orders.push(order);
  return order;
}

export function closeOrder(order: BacktestOrder, status: BacktestOrder["status"], session: SessionDate): void {
  order.status = status;
  order.closedSession = session;
}

export function restLegs(ledger: Ledger, legs: RestingLegs): void {
  const { symbol } = legs.order;
  ledger.legs.set(symbol, [...(ledger.legs.get(symbol) ?? []), legs]);
}

/** The legs that rested for a symbol are cancelled. */
export function dropLegs(ledger: Ledger, symbol: string, session: SessionDate): void {
  for (const { order } of ledger.legs.get(symbol) ?? []) {
    if (order.purpose === "PROTECT" && order.status === "WORKING") closeOrder(order, "CANCELLED", session);
  }
  ledger.legs.delete(symbol);
}
