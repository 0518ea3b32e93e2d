import type { IntentStatusName, OrderOriginName, OrderStatusName } from "@/lib/domain/enums.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { greatest, least, money, text, ZERO } from "@/lib/domain/money.ts";
import { identityMismatch, isTerminal } from "@/lib/domain/orders.ts";
import { AWAITING_ANSWER } from "@/lib/domain/protocol/intent-states.ts";
import { intentAfterReport, orderAfterReport, rivalOf } from "@/lib/domain/protocol/report.ts";
import type { Account, Intent, Order } from "../../core/row-types.ts";
import type { BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { type Db, Prisma, type Tx } from "../../db.ts";
import { changeIntents, lockIntent } from "./change-intents.ts";
import { notifyOrder } from "./notify-order.ts";
import { notifyExternalSale } from "./notify-external-sale.ts";
import { haltAccount } from "../../core/halt-account.ts";

export interface RecordedOrder {
  order: Order;
  isChanged: boolean;
  /** The order is not the one that we decided, or is open beside another one: the account is halted. */
  needsPerson: boolean;
}

/** Rows that the caller has read under the account's lock. */
interface RowsAtHand {
  parent?: Order | null;
  /** The decision, locked itself. */
  intent?: Intent | null;
  /** As `readOrders` answers. */
  known?: Map<string, Order>;
}

/** Whose order it is and what it is for. */
interface Lineage {
  origin: OrderOriginName;
  role: Order["role"];
  intentId: string | null;
  parentId: string | null;
  reason: string | null;
}

const EXTERNAL: Lineage = { origin: "EXTERNAL", role: "EXTERNAL", intentId: null, parentId: null, reason: null };

const isStop = (type: BrokerOrder["type"]) => type === "STOP" || type === "STOP_LIMIT" || type === "TRAILING_STOP";

/** Legs of a bracket and of an OCO: the stop, and the target beside it. */
function protection(reported: BrokerOrder, intent: Pick<Intent, "id" | "reason">, parentId: string | null): Lineage {
  const stopReason = intent.reason === "trailing_stop" ? "trailing_stop" : "protective_stop";
  return isStop(reported.type)
    ? { origin: "OURS", role: "STOP", intentId: intent.id, parentId, reason: stopReason }
    : { origin: "OURS", role: "TARGET", intentId: intent.id, parentId, reason: "profit_target" };
}

function mainLineage(reported: BrokerOrder, intent: Intent): Lineage {
  if (intent.purpose === "PROTECT") return protection(reported, intent, null);
  const role = intent.side === "BUY" ? "ENTRY" : "EXIT";
  return { origin: "OURS", role, intentId: intent.id, parentId: null, reason: intent.reason };
}

/** What is read once for a report and its legs, or known to the caller. */
interface Rows {
  /** The decision that the caller has locked. */
  locked: Intent | null;
  /** Orders that are known, by the broker's ids. */
  orders: Map<string, Order>;
  /** What legs need of the decision, by its id. */
  intents: Map<string, Pick<Intent, "id" | "reason">>;
}

const idsIn = (reported: BrokerOrder): string[] => [reported.id, ...reported.legs.flatMap(idsIn)];

/** The rows of a report and its legs, by the broker's ids. */
export async function readOrders(db: Db | Tx, accountId: string, reported: BrokerOrder): Promise<Rows["orders"]> {
  const orders = await db.order.findMany({ where: { accountId, brokerOrderId: { in: idsIn(reported) } } });
  return new Map(orders.map((order) => [order.brokerOrderId, order]));
}

async function lineageOf(
  tx: Tx,
  account: Account,
  reported: BrokerOrder,
  known: Order | null,
  parent: Order | null,
  { intents, locked }: Rows,
): Promise<{ lineage: Lineage; mismatch: string | null; refusedIntent: Intent | null }> {
  const found = (lineage: Lineage) => ({ lineage, mismatch: null, refusedIntent: null });
  if (parent?.intentId) {
    const intent =
      intents.get(parent.intentId) ?? (await tx.intent.findUniqueOrThrow({ where: { id: parent.intentId } }));
    intents.set(intent.id, intent);
    const lineage = protection(reported, intent, parent.id);
    // A stop that was raised in place keeps its own reason.
    return found({ ...lineage, reason: known?.reason ?? lineage.reason });
  }
  if (known?.origin === "OURS") return found(known);
  const { clientOrderId } = reported;
  const intent =
    locked?.clientOrderId === clientOrderId ? locked : await tx.intent.findUnique({ where: { clientOrderId } });
  if (intent && intent.accountId === account.id) {
    const mismatch =
      intent.gateVerdictId === null
        ? "sent without a passed gate"
        : identityMismatch({ ...intent, qty: intent.qty.toString() }, reported);
    if (mismatch !== null)
      return { lineage: EXTERNAL, mismatch: `${reported.clientOrderId}: ${mismatch}`, refusedIntent: intent };
    return found(mainLineage(reported, intent));
  }
  // Replaced at the broker by hand: the replacement continues the order that it replaces.
  const { id, replacesId } = reported;
  const predecessors = [{ replacedById: id }, ...(replacesId ? [{ brokerOrderId: replacesId }] : [])];
  const replaced = await tx.order.findFirst({ where: { accountId: account.id, OR: predecessors } });
  if (replaced) return found(replaced);
  return found(parent ? { ...EXTERNAL, parentId: parent.id } : EXTERNAL);
}

/** The broker status of an order that an administrator closed because the broker did not know it. */
export const CLOSED_UNKNOWN = "unknown_to_broker";

/** A report merged with the stored order. Progress never decreases; only an end that the broker never reported can be undone. */
function merge(reported: BrokerOrder, known: Order | null) {
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

/** Decimals and dates are read from the database as objects: compared by what they say. */
function differs(known: Order, next: object): boolean {
  const plain = (value: unknown) =>
    value instanceof Date ? value.getTime() : value instanceof Prisma.Decimal ? text(value) : value;
  return Object.entries(next).some(([key, value]) => plain(known[key as keyof Order]) !== plain(value));
}

/** The row of an order after a report. */
function nextRow(reported: BrokerOrder, known: Order | null, { origin, role, intentId, parentId, reason }: Lineage) {
  const merged = merge(reported, known);
  const isResting = role === "STOP" || role === "TARGET";
  // A stop that rested for weeks is a trade of the day on which it was hit.
  const tradedAt = (isResting ? (merged.filledAt ?? merged.endedAt) : null) ?? merged.submittedAt;
  return { ...merged, tradedAt, origin, role, intentId, parentId, reason };
}

/**
 * True where `recordOrder` would change nothing: an order of ours that is known with its legs, of which the report says nothing new,
 * and whose intent has followed it. `knownOf`: the rows as they were read, by the broker's ids.
 */
export function isRecorded(
  reported: BrokerOrder,
  knownOf: (brokerOrderId: string) => Order | undefined,
  intentOf: (intentId: string) => IntentStatusName | undefined,
  parent: Order | null = null,
): boolean {
  const known = knownOf(reported.id);
  if (known === undefined || known.origin !== "OURS") return false;
  if (parent !== null && (known.parentId !== parent.id || known.intentId !== parent.intentId)) return false;
  if (differs(known, nextRow(reported, known, known))) return false;
  if (known.intentId !== null && known.parentId === null && known.status !== "REPLACED") {
    const intent = intentOf(known.intentId);
    if (intent === undefined) return false;
    const { status, halts } = intentAfterReport(intent, known.status, "open");
    if (status !== null || halts) return false;
  }
  return reported.legs.every((leg) => isRecorded(leg, knownOf, intentOf, known));
}

/**
 * The same, with the rows as they stand now and no lock: what is known of an order only moves forward, so that a report that changes
 * nothing now changes nothing later.
 */
export async function isOrderRecorded(db: Db, accountId: string, reported: BrokerOrder): Promise<boolean> {
  const orders = await readOrders(db, accountId, reported);
  const { intentId = null, parentId = null } = orders.get(reported.id) ?? {};
  const intent =
    intentId === null || parentId !== null
      ? null
      : await db.intent.findUnique({ where: { id: intentId }, select: { status: true } });
  return isRecorded(
    reported,
    (id) => orders.get(id),
    () => intent?.status,
  );
}

/**
 * The decision follows its order. An order may appear for a decision that was closed (parked, expired):
 * the decision is reopened, unless another one of the symbol and side has gone out meanwhile; then a
 * person has to look, which is what it answers.
 */
async function followOrder(context: Context, tx: Tx, account: Account, intent: Intent, status: OrderStatusName) {
  const besideARival = intentAfterReport(intent.status, status, "open");
  if (besideARival.status === null && !besideARival.halts) return false;
  const { symbol, side } = intent;
  const rival = besideARival.halts
    ? await tx.intent.findFirst({
        where: {
          accountId: account.id,
          symbol,
          side,
          id: { not: intent.id },
          status: { in: ["PLANNED", "GATED", "SUBMITTING", "UNKNOWN", "LIVE"] },
        },
      })
    : null;
  const next = intentAfterReport(intent.status, status, rivalOf(side, rival?.status ?? null));
  if (next.status !== null) {
    const data = {
      submitEpoch: intent.submitEpoch ?? account.writerEpoch,
      submittedAt: intent.submittedAt ?? context.now(),
      nextAskAt: null,
    };
    await changeIntents(tx, { id: intent.id }, { from: [intent.status], to: next.status, data });
  }
  if (!next.halts) return false;
  const why = rival
    ? `two live orders to ${side} ${symbol}: ${intent.clientOrderId} and ${rival.clientOrderId}`
    : `an order of a decision that is ${intent.status} is ${status}: ${intent.clientOrderId}`;
  await haltAccount(context, tx, account.id, why);
  return true;
}

/**
 * Takes over what the broker says about an order and its legs; the same or an older report changes nothing.
 * Orders that are not ours are imported as EXTERNAL. The caller holds the account's lock (`lockAccount`).
 */
export async function recordOrder(
  context: Context,
  tx: Tx,
  account: Account,
  reported: BrokerOrder,
  { parent = null, intent = null, known }: RowsAtHand = {},
): Promise<RecordedOrder> {
  const orders = known ?? (await readOrders(tx, account.id, reported));
  return recordWithLegs(context, tx, account, reported, parent, { orders, intents: new Map(), locked: intent });
}

async function recordWithLegs(
  context: Context,
  tx: Tx,
  account: Account,
  reported: BrokerOrder,
  parent: Order | null,
  rows: Rows,
): Promise<RecordedOrder> {
  const known = rows.orders.get(reported.id) ?? null;
  const { lineage, mismatch, refusedIntent } = await lineageOf(tx, account, reported, known, parent, rows);
  const { origin } = lineage;
  const next = nextRow(reported, known, lineage);
  let order = known;
  let needsPerson = mismatch !== null;
  let isChanged = known === null || differs(known, next);
  if (known === null) {
    const ids = { accountId: account.id, brokerOrderId: reported.id, clientOrderId: reported.clientOrderId };
    order = await tx.order.create({ data: { ...ids, ...next } });
  } else if (isChanged) {
    order = await tx.order.update({ where: { id: known.id }, data: next });
  }
  if (order === null) throw new Error("an order row was neither found nor made");
  rows.orders.set(reported.id, order);
  await notifyOrder(context, tx, account, known, order);
  if (known === null && parent === null) await notifyExternalSale(tx, account, order);
  // A database that was restored from an older copy: what it decided since then is not known here.
  const isForgotten = known === null && origin === "EXTERNAL" && parent === null && mismatch === null;
  if (isForgotten && account.orderWatermark !== null && isOurClientOrderId(reported.clientOrderId))
    await haltAccount(
      context,
      tx,
      account.id,
      `The broker has an order with an id of ours that nothing here knows: ${reported.clientOrderId}`,
    );
  if (mismatch !== null && refusedIntent !== null) {
    await changeIntents(
      tx,
      { id: refusedIntent.id },
      { from: AWAITING_ANSWER, to: "PARKED", data: { lastError: mismatch, nextAskAt: null } },
    );
    if (known === null)
      await haltAccount(context, tx, account.id, `the broker has an order that we did not decide: ${mismatch}`);
  } else if (order.intentId !== null && order.parentId === null && order.status !== "REPLACED") {
    const intent = rows.locked?.id === order.intentId ? rows.locked : await lockIntent(tx, order.intentId);
    rows.intents.set(intent.id, intent);
    needsPerson = await followOrder(context, tx, account, intent, order.status);
  }
  for (const leg of reported.legs) {
    const applied = await recordWithLegs(context, tx, account, leg, order, rows);
    isChanged ||= applied.isChanged;
  }
  return { order, isChanged, needsPerson };
}
