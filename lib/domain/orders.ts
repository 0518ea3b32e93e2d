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
import { money, priceTick, text, type DecimalText } from "./money.ts";

/**
 * Rows: what we know. Columns: what the broker reports. An order that is routed is not unrouted, an order
 * with fills is not merely open; a requested cancel may be refused (PENDING_CANCEL → NEW) and may lose the
 * race with a fill. Two letters a status, in the order of ORDER_STATUSES.
 */
const TABLE = `
      PN AC NE HE PF PC PR DD OT FI CA EX RJ RP
  PN  PN AC NE HE PF PC PR DD OT FI CA EX RJ RP
  AC  AC AC NE HE PF PC PR DD OT FI CA EX RJ RP
  NE  NE NE NE HE PF PC PR DD OT FI CA EX RJ RP
  HE  HE AC NE HE PF PC PR DD OT FI CA EX RJ RP
  PF  PF PF PF PF PF PC PR DD PF FI CA EX RJ RP
  PC  PC PC NE HE PF PC PR DD OT FI CA EX RJ RP
  PR  PR AC NE HE PF PC PR DD OT FI CA EX RJ RP
  DD  DD AC NE HE PF PC PR DD OT FI CA EX RJ RP
  OT  OT AC NE HE PF PC PR DD OT FI CA EX RJ RP
  FI  FI FI FI FI FI FI FI FI FI FI FI FI FI FI
  CA  CA CA CA CA CA CA CA CA CA CA CA CA CA CA
  EX  EX EX EX EX EX EX EX EX EX EX EX EX EX EX
  RJ  RJ RJ RJ RJ RJ RJ RJ RJ RJ RJ RJ RJ RJ RJ
  RP  RP RP RP RP RP RP RP RP RP RP RP RP RP RP`;

const [HEADER = [], ...ROWS] = TABLE.trim()
  .split("\n")
  .map((line) => line.trim().split(/ +/));
const NAMES = new Map(HEADER.map((code, column) => [code, ORDER_STATUSES[column]]));
const NEXT = new Map(
  ROWS.map(([known = "", ...cells]) => [
    NAMES.get(known),
    new Map(cells.map((code, column) => [ORDER_STATUSES[column], NAMES.get(code)])),
  ]),
);

/** The status after the broker's report. */
export function nextOrderStatus(current: OrderStatusName, reported: OrderStatusName): OrderStatusName {
  return NEXT.get(current)?.get(reported) ?? current;
}

const TERMINAL: ReadonlySet<string> = new Set(["FILLED", "CANCELED", "EXPIRED", "REJECTED", "REPLACED"]);

/** True when the broker will not change the order any more. */
export function isTerminal(status: OrderStatusName): boolean {
  return TERMINAL.has(status);
}

/** Statuses of orders that may still trade; for queries. */
export const WORKING_STATUSES: readonly OrderStatusName[] = ORDER_STATUSES.filter((status) => !TERMINAL.has(status));

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
  stop: { resting: DecimalText; level: DecimalText; last: DecimalText },
  stepPct: number,
): DecimalText | null {
  const wanted = priceTick(money(stop.level), "down");
  const isWorthIt = wanted.gte(money(stop.resting).times(money(stepPct).div(100).plus(1)));
  return isWorthIt && wanted.lt(stop.last) ? text(wanted) : null;
}
