import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import type { Order } from "../../core/row-types.ts";
import type { BrokerOrder } from "../../broker/broker.ts";
import { LISTED_MOST, type Db, type Tx } from "../../db.ts";

/**
 * The rows of these reports and all that work, and the intents of both, as they stand. Of a first reading's whole past not all are
 * asked for at once: those left out are recorded as if they were new, which changes nothing of what is known.
 */
export async function readKnownOrders(db: Db | Tx, accountIds: readonly string[], listed: readonly BrokerOrder[]) {
  const ids = listed.flatMap(({ id, legs }) => [id, ...legs.map((leg) => leg.id)]).slice(0, LISTED_MOST);
  const orders = await db.order.findMany({
    where: {
      accountId: { in: [...accountIds] },
      OR: [{ brokerOrderId: { in: ids } }, { status: { in: [...WORKING_STATUSES] } }],
    },
    // Parents first: their answer carries the legs.
    orderBy: [{ parentId: { sort: "desc", nulls: "first" } }, { submittedAt: "asc" }],
  });
  const intentIds = orders.flatMap(({ intentId, parentId }) =>
    intentId === null || parentId !== null ? [] : [intentId],
  );
  const intents =
    intentIds.length === 0
      ? []
      : await db.intent.findMany({ where: { id: { in: intentIds } }, select: { id: true, status: true } });
  return {
    known: new Map<string, Order>(orders.map((order) => [order.brokerOrderId, order])),
    working: orders.filter(({ status }) => WORKING_STATUSES.some((one) => one === status)),
    intents: new Map(intents.map(({ id, status }) => [id, status])),
  };
}
