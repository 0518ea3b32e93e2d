import { CHANNEL_BOUNDS, type channelsApi } from "@/lib/contracts/channels.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Db, Prisma } from "../../db.ts";
import { deliveryPayload } from "../../outgoing/delivery-payload.ts";

type Delivery = Prisma.DeliveryGetPayload<object>;

/** The caller's own deliveries, newest first. */
export async function listDeliveries({ actor, db }: Context<"user">): Promise<Given<typeof channelsApi.deliveries>> {
  const { userId } = actor;
  const [rows, targets] = await Promise.all([
    db.delivery.findMany({
      where: { userId },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: CHANNEL_BOUNDS.deliveriesShown,
    }),
    targetsOf(db, userId),
  ]);
  return {
    deliveries: rows.map((row) => {
      const { id, channel, target, createdAt, attempts, deliveredAt, lastStatus, lastError } = row;
      const { kind, title } = deliveryPayload.parse(row.payload);
      const state = stateOf(row);
      const nextAt = state === "WAITING" ? row.dueAt : null;
      const shown = { id, channel, target, kind, title, createdAt, state, attempts, deliveredAt, nextAt };
      return { ...shown, lastStatus, lastError, canRetry: isTried(row) && targets.has(row.targetId) };
    }),
  };
}

/** Sends a delivery again, under the same id: a receiver that had it already can tell. */
export async function retryDelivery(
  { actor, db, now, queue }: Context<"user">,
  { id }: Received<typeof channelsApi.retryDelivery>,
): Promise<Given<typeof channelsApi.retryDelivery>> {
  const { userId } = actor;
  const row = await db.delivery.findUnique({ where: { id, userId } });
  if (!row) throw new Failure("not_found", "Delivery not found.");
  if (!isTried(row)) return { id };
  const target = (await targetsOf(db, userId)).get(row.targetId);
  if (target === undefined) throw new Failure("conflict", "The destination of this delivery is no longer set up.");
  await db.delivery.updateMany({
    where: { id, userId, attempts: row.attempts },
    // It goes to where the webhook is now.
    data: { target, attempts: 0, dueAt: now(), deliveredAt: null, failedAt: null },
  });
  await queue.enqueue(jobs.deliveries, {});
  return { id };
}

const isTried = ({ attempts, deliveredAt, failedAt }: Delivery) =>
  attempts > 0 || deliveredAt !== null || failedAt !== null;

function stateOf({ deliveredAt, failedAt }: Delivery): "WAITING" | "DELIVERED" | "FAILED" {
  if (deliveredAt !== null) return "DELIVERED";
  return failedAt === null ? "WAITING" : "FAILED";
}

/** The person's webhook, where it is in use, and browsers: their names by their ids. */
async function targetsOf(db: Db, userId: string): Promise<ReadonlyMap<string, string>> {
  const [webhooks, browsers] = await Promise.all([
    db.webhook.findMany({ where: { userId, disabledAt: null }, select: { id: true, host: true } }),
    db.pushSubscription.findMany({ where: { userId }, select: { id: true, label: true } }),
  ]);
  return new Map([
    ...webhooks.map(({ id, host }) => [id, host] as const),
    ...browsers.map(({ id, label }) => [id, label] as const),
  ]);
}
