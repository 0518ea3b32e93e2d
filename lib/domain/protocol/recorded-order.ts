/** The row of an order: what the broker reports, merged with what is recorded. */
import type { IntentStatusName, OrderClassName, OrderStatusName, OrderTypeName, SideName } from "../enums.ts";
import { greatest, least, money, text, ZERO, type DecimalText } from "../money.ts";
import { isTerminal } from "../orders.ts";
import type { Instant } from "../time.ts";
import type { Lineage } from "./lineage.ts";
import { intentAfterReport, orderAfterReport } from "./report.ts";

/** An order as a broker reports it. Quantities in shares, prices in USD per share, market time. */
export interface ReportedOrder {
  id: string;
  clientOrderId: string;
  symbol: string;
  side: SideName;
  orderClass: OrderClassName;
  type: OrderTypeName;
  timeInForce: string;
  qty: DecimalText | null;
  notional: DecimalText | null;
  limitPrice: DecimalText | null;
  stopPrice: DecimalText | null;
  status: OrderStatusName;
  /** The broker's own word. */
  brokerStatus: string;
  filledQty: DecimalText;
  filledAvgPrice: DecimalText | null;
  submittedAt: Instant;
  updatedAt: Instant;
  filledAt: Instant | null;
  /** Cancelled, expired, failed or replaced. */
  endedAt: Instant | null;
  replacedById: string | null;
  /** The order that this one took the place of. */
  replacesId?: string | null;
  /** Bracket and OCO legs where the broker nests them; empty otherwise. */
  legs: ReportedOrder[];
}

/** A decimal as the database answers it: its text is exact. */
type Stored = { toString(): string };

/** What is recorded of an order. */
export interface KnownOrder extends Lineage {
  id: string;
  symbol: string;
  side: SideName;
  orderClass: OrderClassName;
  type: OrderTypeName;
  timeInForce: string;
  qty: Stored | null;
  notional: Stored | null;
  limitPrice: Stored | null;
  stopPrice: Stored | null;
  status: OrderStatusName;
  brokerStatus: string;
  filledQty: Stored;
  filledAvgPrice: Stored | null;
  filledValue: Stored;
  replacedById: string | null;
  submittedAt: Date;
  filledAt: Date | null;
  endedAt: Date | null;
  brokerUpdatedAt: Date;
  tradedAt: Date;
}

/** The broker status of an order that an administrator closed because the broker did not know it. */
export const CLOSED_UNKNOWN = "unknown_to_broker";

/** A report merged with the stored order. Progress never decreases; only an end that the broker never reported can be undone. */
function merge(reported: ReportedOrder, known: KnownOrder | null) {
  const isOlder = known !== null && Date.parse(reported.updatedAt) < known.brokerUpdatedAt.getTime();
  const lastReported = known?.brokerStatus === CLOSED_UNKNOWN ? null : (known?.status ?? null);
  const status = orderAfterReport(lastReported, reported.status, isOlder);
  const isSameStatus = known !== null && (status !== reported.status || isOlder) && status === known.status;
  const qty = isOlder ? known.qty : reported.qty;
  const most = known === null ? money(reported.filledQty) : greatest(money(reported.filledQty), money(known.filledQty));
  const filledQty = qty === null ? most : least(most, money(qty));
  const hasLatestFill = known === null || money(reported.filledQty).gte(money(known.filledQty));
  const filledAvgPrice = (hasLatestFill ? reported.filledAvgPrice : null) ?? known?.filledAvgPrice ?? null;
  const endedAt =
    isTerminal(status) && status !== "FILLED" ? (known?.endedAt ?? reported.endedAt ?? reported.updatedAt) : null;
  return {
    symbol: reported.symbol,
    side: reported.side,
    orderClass: reported.orderClass,
    type: reported.type,
    timeInForce: reported.timeInForce,
    qty: qty === null ? null : text(qty.toString()),
    notional: reported.notional,
    limitPrice: isOlder ? (known.limitPrice?.toString() ?? null) : reported.limitPrice,
    stopPrice: isOlder ? (known.stopPrice?.toString() ?? null) : reported.stopPrice,
    status,
    brokerStatus: isSameStatus ? known.brokerStatus : reported.brokerStatus,
    filledQty: text(filledQty),
    filledAvgPrice: filledAvgPrice === null ? null : text(filledAvgPrice.toString()),
    filledValue: text((filledAvgPrice === null ? ZERO : filledQty.times(money(filledAvgPrice))).toDecimalPlaces(9)),
    replacedById: reported.replacedById ?? known?.replacedById ?? null,
    submittedAt: known?.submittedAt ?? new Date(reported.submittedAt),
    filledAt: status === "FILLED" ? (known?.filledAt ?? new Date(reported.filledAt ?? reported.updatedAt)) : null,
    endedAt: endedAt === null ? null : new Date(endedAt),
    brokerUpdatedAt: isOlder ? known.brokerUpdatedAt : new Date(reported.updatedAt),
  };
}

/** The row of an order after a report. */
export function orderRowAfterReport(
  reported: ReportedOrder,
  known: KnownOrder | null,
  { origin, role, intentId, parentId, reason }: Lineage,
) {
  const merged = merge(reported, known);
  const isResting = role === "STOP" || role === "TARGET";
  // A stop that rested for weeks is a trade of the day on which it was hit: of the first part, while the others rest.
  const hitAt = known !== null && !money(known.filledQty).isZero() ? known.tradedAt : new Date(reported.updatedAt);
  const partlyAt = money(merged.filledQty).isZero() ? null : hitAt;
  const tradedAt = (isResting ? (merged.filledAt ?? merged.endedAt ?? partlyAt) : null) ?? merged.submittedAt;
  return { ...merged, tradedAt, origin, role, intentId, parentId, reason };
}

/** Decimals and dates are read from the database as objects: compared by what they say. */
const plain = (value: unknown) =>
  value instanceof Date ? value.getTime() : typeof value === "object" && value !== null ? text(value) : value;

/** True where the row says something else than what is recorded. */
export function differsFromKnown(known: KnownOrder, row: ReturnType<typeof orderRowAfterReport>): boolean {
  return Object.entries(row).some(([key, value]) => plain(known[key as keyof typeof row]) !== plain(value));
}

/**
 * True where the decision behind an order moves with it. Not with one that was replaced: its replacement continues it. Nor with a
 * replacement that the venue refused: the order that it was to replace rests on.
 */
export const isFollowed = ({ replacesId }: Pick<ReportedOrder, "replacesId">, status: OrderStatusName): boolean =>
  status !== "REPLACED" && !(status === "REJECTED" && replacesId != null);

/**
 * True where recording the report would change nothing: an order of ours that is known with its legs, of which the report says nothing new,
 * and whose intent has followed it. `knownOf`: the rows as they were read, by the broker's ids.
 */
export function isRecorded(
  reported: ReportedOrder,
  knownOf: (brokerOrderId: string) => KnownOrder | undefined,
  intentOf: (intentId: string) => IntentStatusName | undefined,
  parent: KnownOrder | null = null,
): boolean {
  const known = knownOf(reported.id);
  if (known === undefined || known.origin !== "OURS") return false;
  if (parent !== null && (known.parentId !== parent.id || known.intentId !== parent.intentId)) return false;
  if (differsFromKnown(known, orderRowAfterReport(reported, known, known))) return false;
  if (known.intentId !== null && known.parentId === null && isFollowed(reported, known.status)) {
    const intent = intentOf(known.intentId);
    if (intent === undefined) return false;
    const { status, halts } = intentAfterReport(intent, known.status, "open");
    if (status !== null || halts) return false;
  }
  return reported.legs.every((leg) => isRecorded(leg, knownOf, intentOf, known));
}
