import { randomUUID } from "node:crypto";
import type { Tx } from "../db.ts";
import { Prisma } from "../db.ts";
import type { DeliveryPayload } from "../outgoing/delivery-payload.ts";
import type { Notification } from "./row-types.ts";

/**
 * Puts a notification on its way to the person's webhook and browsers, in the transaction of its event: one delivery for each
 * target. One statement, since trades wait for it.
 */
export async function queueDeliveries(tx: Tx, notification: Notification, isUrgent: boolean): Promise<void> {
  await insert(tx, notification, isUrgent, notification.dedupeKey);
}

/**
 * The same for a notification that was sent before and says more now. A delivery whose sending has not begun says the newest;
 * where the last one is on its way or has arrived there is another one. A browser shows the last that arrives, so that one which failed is tried
 * again in the newest words as well; a webhook's keeps its words under its id.
 */
export async function renewDeliveries(tx: Tx, notification: Notification, isUrgent: boolean): Promise<void> {
  await tx.$executeRaw`
    update "Delivery" set "payload" = ${payloadOf(notification)}::jsonb
    where "notificationId" = ${notification.id}::uuid and (${UNTRIED} or "channel" = 'PUSH' and "deliveredAt" is null)`;
  await insert(tx, notification, isUrgent, `${notification.dedupeKey}:${randomUUID()}`);
}

const UNTRIED = Prisma.sql`"attempts" = 0 and "deliveredAt" is null and "failedAt" is null`;

function insert(tx: Tx, notification: Notification, isUrgent: boolean, dedupeKey: string): Promise<number> {
  const { id, userId, at } = notification;
  return tx.$executeRaw`
    insert into "Delivery" ("id", "userId", "channel", "targetId", "target", "notificationId", "dedupeKey", "payload", "isUrgent",
      "createdAt", "dueAt")
    select gen_random_uuid(), ${userId}::uuid, "to"."channel", "to"."id", "to"."label", ${id}::uuid, ${dedupeKey},
      ${payloadOf(notification)}::jsonb, ${isUrgent}, ${at}::timestamptz, ${at}::timestamptz
    from (
      select 'WEBHOOK'::"DeliveryChannel" as "channel", "id", "host" as "label" from "Webhook"
      where "userId" = ${userId}::uuid and "disabledAt" is null
      union all
      select 'PUSH'::"DeliveryChannel", "id", "label" from "PushSubscription" where "userId" = ${userId}::uuid
    ) as "to"
    where not exists (
      select 1 from "Delivery" where "notificationId" = ${id}::uuid and "targetId" = "to"."id" and ${UNTRIED}
    )
    on conflict do nothing`;
}

function payloadOf({ kind, at, marketAt, title, text, environment, link }: Notification): string {
  return JSON.stringify({
    kind,
    createdAt: at.toISOString(),
    marketAt: marketAt?.toISOString() ?? null,
    title,
    text,
    environment,
    link,
  } satisfies DeliveryPayload);
}
