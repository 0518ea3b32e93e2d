import { quietUntil } from "@/lib/domain/quiet-hours.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { readWishes, type MailKind } from "../../mail/wanted-mails.ts";
import { deliveryPayload, type DeliveryPayload } from "../../outgoing/delivery-payload.ts";
import type { PostOptions, PostOutcome } from "../../outgoing/post.ts";
import { noteOutcome } from "./note-outcome.ts";
import { postPush } from "./post-push.ts";
import { postWebhook } from "./post-webhook.ts";

/** Longer than an attempt takes that uses up every patience: a claim that ran out has lost its worker. */
const LEASE_MS = MINUTE_MS;
/** Receivers that are asked at the same time: a slow one holds up its own deliveries alone. */
const LANES = 8;

export type DeliveryPorts = Pick<Context, "actor" | "db" | "now" | "log" | "request">;
export type Delivery = Prisma.DeliveryGetPayload<object>;

/** What came of an attempt; "dropped": there is nothing to attempt, and never will be. */
/** `sentTo`: a webhook's address at the time. */
export type Attempt = (PostOutcome & { sentTo?: string }) | { kind: "dropped"; why: string };

export interface Sent {
  delivered: number;
  failed: number;
}

/**
 * Sends what is due to webhooks and browsers. Two workers never hold the same delivery: each is claimed alone, just before it
 * goes out. One whose worker died between the receiver's yes and our note of it goes out again under the same id, by which a
 * receiver tells that it has it (docs/notifications.md).
 */
export async function sendDueDeliveries(context: DeliveryPorts, options: PostOptions = {}): Promise<Sent> {
  const tally = { delivered: 0, failed: 0 };
  /** Targets that are being asked, or failed in this run: their other deliveries wait for the next one. */
  const busy = new Set<string>();
  let claimed: Promise<Delivery | undefined> = Promise.resolve(undefined);
  /** One after the other: of two lanes, the second one knows what the first one took. */
  const next = () =>
    (claimed = claimed.then(async () => {
      const one = await claim(context, busy);
      if (one) busy.add(one.targetId);
      return one;
    }));
  const lane = async () => {
    for (let one = await next(); one !== undefined; one = await next()) {
      const became = await sendOne(context, one, options);
      if (became !== "failed") busy.delete(one.targetId);
      if (became === "delivered" || became === "failed") tally[became] += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return tally;
}

/** Counts the attempt and moves the due time before anything is sent, so a crash can only delay. Found by "=", as in send-due-mails.ts. */
async function claim({ db, now }: DeliveryPorts, busy: ReadonlySet<string>): Promise<Delivery | undefined> {
  const at = now();
  const leasedUntil = new Date(at.getTime() + LEASE_MS);
  const [claimed] = await db.$queryRaw<Delivery[]>`
    update "Delivery" set "attempts" = "attempts" + 1, "dueAt" = ${leasedUntil}::timestamptz
    where "id" = (
      select "id" from "Delivery"
      where "deliveredAt" is null and "failedAt" is null and "dueAt" <= ${at}::timestamptz
        and not ("targetId" = any(${[...busy]}::uuid[]))
      order by "dueAt" limit 1 for update skip locked
    )
    returning *`;
  return claimed;
}

async function sendOne(
  context: DeliveryPorts,
  delivery: Delivery,
  options: PostOptions,
): Promise<"delivered" | "failed" | "held" | "dropped"> {
  const payload = deliveryPayload.parse(delivery.payload);
  const { wants, quiet } = await readWishes(context.db, delivery.userId, "pages");
  if (!isWanted(payload, wants)) return noteOutcome(context, delivery, { kind: "dropped", why: "no longer wanted" });
  const until = delivery.channel === "PUSH" && !delivery.isUrgent ? quietUntil(quiet, context.now()) : null;
  if (until !== null) return hold(context, delivery, until);
  const post = delivery.channel === "WEBHOOK" ? postWebhook : postPush;
  const attempt = await post(context, delivery, payload, options).catch((error: unknown): Attempt => {
    // Others' deliveries wait for this run: one that cannot be made must not end it.
    context.log.error("delivery.unprepared", { deliveryId: delivery.id, kind: delivery.channel, err: error });
    return { kind: "failed", cause: "could not be prepared" };
  });
  return noteOutcome(context, delivery, attempt);
}

/** Waits for the end of the quiet hours as if it had not been claimed: what continues is sent in its newest words. */
async function hold({ db }: DeliveryPorts, { id, attempts }: Delivery, until: Date): Promise<"held"> {
  await db.delivery.updateMany({
    where: { id, attempts, deliveredAt: null, failedAt: null },
    data: { attempts: attempts - 1, dueAt: until },
  });
  return "held";
}

const TOGGLE_OF: Record<Exclude<DeliveryPayload["kind"], "SECURITY" | "TEST">, MailKind> = {
  ORDER: "orders",
  TRADE: "trades",
  SYSTEM: "alerts",
  WEEKLY: "weekly",
};

/** It was wanted when it was written; its toggle may be off by now. */
const isWanted = ({ kind }: DeliveryPayload, wants: ReadonlySet<MailKind>) =>
  kind === "SECURITY" || kind === "TEST" || wants.has(TOGGLE_OF[kind]);
