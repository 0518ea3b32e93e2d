/**
 * The life of an order at the broker, as one table: status × report → status. State never goes
 * backwards, a final state never reopens (what fills afterwards is booked, the status stays), and a
 * report that is merely older news changes nothing.
 */
import {
  type IntentStatusName,
  ORDER_STATUSES,
  type OrderStatusName,
  type SideName,
  type TradeStatus,
} from "./enums.ts";
import { type DecimalText, type Money, money, priceTick, text } from "./money.ts";

/**
 * The reports that are older news than what we know; every other report is taken over. An order that is routed is not
 * unrouted, an order with fills is not merely open; a requested cancel may be refused (PENDING_CANCEL → NEW) and may lose
 * the race with a fill. To a final state every report is old.
 */
const OLD_NEWS: Record<OrderStatusName, readonly OrderStatusName[]> = {
  PENDING_NEW: [],
  ACCEPTED: ["PENDING_NEW"],
  NEW: ["PENDING_NEW", "ACCEPTED"],
  HELD: ["PENDING_NEW"],
  PARTIALLY_FILLED: ["PENDING_NEW", "ACCEPTED", "NEW", "HELD", "OTHER"],
  PENDING_CANCEL: ["PENDING_NEW", "ACCEPTED"],
  PENDING_REPLACE: ["PENDING_NEW"],
  DONE_FOR_DAY: ["PENDING_NEW"],
  OTHER: ["PENDING_NEW"],
  FILLED: ORDER_STATUSES,
  CANCELED: ORDER_STATUSES,
  EXPIRED: ORDER_STATUSES,
  REJECTED: ORDER_STATUSES,
  REPLACED: ORDER_STATUSES,
};

/** The status after the broker's report. */
export function nextOrderStatus(current: OrderStatusName, reported: OrderStatusName): OrderStatusName {
  return OLD_NEWS[current].includes(reported) ? current : reported;
}

/** True when the broker will no longer change the order. */
export function isTerminal(status: OrderStatusName): boolean {
  return OLD_NEWS[status] === ORDER_STATUSES;
}

/** Statuses of orders that may still trade; for queries. */
export const WORKING_STATUSES: readonly OrderStatusName[] = ORDER_STATUSES.filter((status) => !isTerminal(status));

/** Intents whose risk counts as used: an order may exist or come to exist because of them. */
export const IN_FLIGHT_INTENTS = [
  "PLANNED",
  "GATED",
  "SUBMITTING",
  "UNKNOWN",
  "PARKED",
  "LIVE",
] as const satisfies readonly IntentStatusName[];

export function isInFlight(status: IntentStatusName): boolean {
  return (IN_FLIGHT_INTENTS as readonly string[]).includes(status);
}

/** What the broker's order says about the decision behind it. A replaced order lives on in its replacement. */
export function intentStatusOf(status: OrderStatusName): "LIVE" | "FILLED" | "CANCELED" | "EXPIRED" | "REJECTED" {
  switch (status) {
    case "FILLED":
    case "CANCELED":
    case "EXPIRED":
    case "REJECTED":
      return status;
    default:
      return "LIVE";
  }
}

/** The four words of Trade History. What ended with a part filled is shown as cancelled, with its quantity. */
export const TRADE_STATUS: Record<OrderStatusName, TradeStatus> = {
  PENDING_NEW: "PENDING",
  ACCEPTED: "PENDING",
  NEW: "PENDING",
  HELD: "PENDING",
  PARTIALLY_FILLED: "PENDING",
  PENDING_CANCEL: "PENDING",
  PENDING_REPLACE: "PENDING",
  DONE_FOR_DAY: "PENDING",
  OTHER: "PENDING",
  FILLED: "FILLED",
  CANCELED: "CANCELLED",
  EXPIRED: "CANCELLED",
  REPLACED: "CANCELLED",
  REJECTED: "REJECTED",
};

/** The broker's statuses behind a word of Trade History; for queries. */
export function statusesOfTrade(word: TradeStatus): OrderStatusName[] {
  return ORDER_STATUSES.filter((status) => TRADE_STATUS[status] === word);
}

interface OrderIdentity {
  symbol: string;
  side: SideName;
  qty: DecimalText | null;
}

/** What a broker's order with our client id differs in from what we decided; null when it is the same order. */
export function identityMismatch(decided: OrderIdentity, found: OrderIdentity): string | null {
  if (decided.symbol !== found.symbol) return `symbol ${found.symbol} instead of ${decided.symbol}`;
  if (decided.side !== found.side) return `side ${found.side} instead of ${decided.side}`;
  if (decided.qty === null || found.qty === null || !money(decided.qty).eq(money(found.qty)))
    return `quantity ${found.qty === null ? "none" : text(found.qty)} instead of ${decided.qty === null ? "none" : text(decided.qty)}`;
  return null;
}

/**
 * Where a resting stop is to be moved when the trailing level has risen, USD per share; null to leave it. A
 * stop only ever rises, by at least `stepPct` percent of its price (less is not worth a moment without it), and stays below
 * the last price: what the market has already fallen through is the exit rules' business.
 */
export function raisedStop(
  stop: Record<"resting" | "level" | "last", Money | DecimalText>,
  stepPct: number,
): DecimalText | null {
  const wanted = priceTick(money(stop.level), "down");
  const isWorthIt = wanted.gte(money(stop.resting).times(money(stepPct).div(100).plus(1)));
  return isWorthIt && wanted.lt(stop.last) ? text(wanted) : null;
}
