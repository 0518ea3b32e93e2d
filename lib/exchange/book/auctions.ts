import { money } from "../../domain/money.ts";
import { cancelOne } from "./brackets.ts";
import type { ExchangeState } from "./state.ts";
import { executeWithin } from "./matching.ts";
import { isHalted } from "./symbols.ts";
import { isFinal, type Order } from "./types.ts";

/** The orders that take part in today's auction of their kind, in the order of arrival. */
function takers(state: ExchangeState, auction: "opg" | "cls"): Order[] {
  const { nowMs } = state.view.moment();
  const orders = [...state.openBySymbol.values()].flatMap((open) => [...open]);
  return orders
    .filter((order) => order.timeInForce === auction && order.expiresAtMs <= nowMs)
    .sort((a, b) => a.seq - b.seq);
}

/**
 * Holds the opening or the closing auction: one price for all orders, the session's first or last, without a
 * spread. What an account's share of that minute does not cover, and what the price does not meet, is cancelled.
 */
export function holdAuction(state: ExchangeState, auction: "opg" | "cls"): void {
  const { index, hours } = state.view.moment();
  const minute = auction === "opg" ? 0 : hours.minutes - 1;
  for (const order of takers(state, auction)) {
    const path = state.view.path(order.symbol, index);
    const price = auction === "opg" ? path?.open[minute] : path?.close[minute];
    if (price !== undefined && !isHalted(state, order.symbol)) {
      const exact = money(String(price));
      const { limitPrice, side } = order;
      const isMet = limitPrice === null || (side === "buy" ? exact.lte(limitPrice) : exact.gte(limitPrice));
      if (isMet) executeWithin(state, order, exact, { index, minute, isThin: false });
    }
    if (!isFinal(order)) cancelOne(state, order);
  }
}
