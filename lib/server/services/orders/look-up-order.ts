import { WATERMARK_OVERLAP_MS } from "@/lib/domain/protocol/settings.ts";
import { newYork } from "@/lib/domain/time.ts";
import { sinceMs } from "@/lib/domain/wall-clock.ts";
import type { Broker, BrokerOrder } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import type { Intent } from "../../core/row-types.ts";

type Decided = Pick<Intent, "clientOrderId" | "decidedAt">;

/** The intent's order among all orders of the broker since a little before the decision; null when it is not there. */
export async function walkOrders(broker: Broker, { clientOrderId, decidedAt }: Decided): Promise<BrokerOrder | null> {
  const since = new Date(decidedAt.getTime() - WATERMARK_OVERLAP_MS).toISOString();
  return (await broker.ordersSince(since)).find((order) => order.clientOrderId === clientOrderId) ?? null;
}

/** By its id, and, because a lookup may lag behind the list, among all orders; null when it is in neither. */
export async function lookUpOrder(broker: Broker, intent: Decided): Promise<BrokerOrder | null> {
  return (await broker.orderByClientId(intent.clientOrderId)) ?? walkOrders(broker, intent);
}

/** The broker's clock shows a later session than that of the decision. */
export async function isSessionOver(broker: Broker, { decidedAt }: Decided): Promise<boolean> {
  return newYork((await broker.clock()).now).date > newYork(decidedAt).date;
}

/** When the order was sent; where it is not known, when it was decided. Wall time, milliseconds. */
export function sentAtMs({ submittedAt, createdAt }: Pick<Intent, "submittedAt" | "createdAt">): number {
  return (submittedAt ?? createdAt).getTime();
}

/** How long ago that was. */
export function waitedMs({ now }: Pick<Context, "now">, intent: Pick<Intent, "submittedAt" | "createdAt">): number {
  return sinceMs(sentAtMs(intent), now());
}
