import { isOurClientOrderId } from "@/lib/domain/ids.ts";
import { isTerminal } from "@/lib/domain/orders.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Db } from "../../db.ts";

/**
 * Our purchases that are open at the broker: by their client ids, and by our books. One that its owner changed there has an id of the
 * broker's, and is known as ours by what it replaces.
 */
export async function openPurchases(db: Db, accountId: string, broker: Broker): Promise<BrokerOrder[]> {
  // An entry that is filled is listed as long as its legs are open.
  const open = (await broker.openOrders()).filter(({ side, status }) => side === "BUY" && !isTerminal(status));
  const others = open.filter(({ clientOrderId }) => !isOurClientOrderId(clientOrderId));
  if (others.length === 0) return open;
  const known = await db.order.findMany({
    where: {
      ...{ accountId, origin: "OURS", role: "ENTRY" },
      brokerOrderId: { in: others.flatMap(({ id, replacesId }) => (replacesId == null ? [id] : [id, replacesId])) },
    },
    select: { brokerOrderId: true },
  });
  const ours = new Set(known.map(({ brokerOrderId }) => brokerOrderId));
  const isOurs = ({ id, replacesId, clientOrderId }: BrokerOrder) =>
    isOurClientOrderId(clientOrderId) || ours.has(id) || (replacesId != null && ours.has(replacesId));
  return open.filter(isOurs);
}
