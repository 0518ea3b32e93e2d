import type { OrderStatusName } from "@/lib/domain/enums.ts";
import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { AWAITING_ANSWER, RIVAL_STATUSES } from "@/lib/domain/protocol/intent-states.ts";
import { type Lineage, lineageOfDecided, lineageOfLeg, lineageOfOther } from "@/lib/domain/protocol/lineage.ts";
import { differsFromKnown, isFollowed, isRecorded, orderRowAfterReport } from "@/lib/domain/protocol/recorded-order.ts";
import { intentAfterReport, rivalOf } from "@/lib/domain/protocol/report.ts";
import type { Account, Intent, Order } from "../../core/row-types.ts";
import type { BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Db, Tx } from "../../db.ts";
import { changeIntents, lockIntent } from "./change-intents.ts";
import { notifyOrder } from "./notify-order.ts";
import { notifyExternalSale } from "./notify-external-sale.ts";
import { haltAccount } from "../../core/halt-account.ts";
import { followStopAtRest } from "./stops-at-rest.ts";

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
    return found(lineageOfLeg(reported, intent, parent.id, known?.reason ?? null));
  }
  if (known?.origin === "OURS") return found(known);
  const { clientOrderId } = reported;
  const intent =
    locked?.clientOrderId === clientOrderId ? locked : await tx.intent.findUnique({ where: { clientOrderId } });
  if (intent && intent.accountId === account.id) {
    const { lineage, mismatch } = lineageOfDecided(intent, reported);
    return { lineage, mismatch, refusedIntent: mismatch === null ? null : intent };
  }
  const { id, replacesId } = reported;
  const predecessors = [{ replacedById: id }, ...(replacesId ? [{ brokerOrderId: replacesId }] : [])];
  const replaced = await tx.order.findFirst({ where: { accountId: account.id, OR: predecessors } });
  return found(lineageOfOther(replaced, parent?.id ?? null));
}

/**
 * `isRecorded`, with the rows as they stand now and no lock: what is known of an order only moves forward, so that a report that changes
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
          status: { in: [...RIVAL_STATUSES] },
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
  const next = orderRowAfterReport(reported, known, lineage);
  let order = known;
  let needsPerson = mismatch !== null;
  let isChanged = known === null || differsFromKnown(known, next);
  if (known === null) {
    const ids = { accountId: account.id, brokerOrderId: reported.id, clientOrderId: reported.clientOrderId };
    order = await tx.order.create({ data: { ...ids, ...next } });
  } else if (isChanged) {
    order = await tx.order.update({ where: { id: known.id }, data: next });
  }
  if (order === null) throw new Error("an order row was neither found nor made");
  rows.orders.set(reported.id, order);
  const isReplacing = reported.replacesId != null || order.status === "REPLACED";
  if (isChanged && isReplacing && origin === "OURS" && order.role === "STOP")
    await followStopAtRest(tx, account.id, order.symbol);
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
  } else if (order.intentId !== null && order.parentId === null && isFollowed(reported, order.status)) {
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
