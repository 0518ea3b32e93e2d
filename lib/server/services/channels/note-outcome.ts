import { isFailingForGood, retryWaitMs, verdictOf } from "@/lib/domain/delivery-retries.ts";
import type { Tx } from "../../db.ts";
import { recordEvent } from "../../core/record-event.ts";
import { inTransaction } from "../../core/transaction.ts";
import { openWebhook } from "../../secrets/seal-webhook.ts";
import { dropWaiting } from "./drop-waiting.ts";
import type { Attempt, Delivery, DeliveryPorts } from "./send-due-deliveries.ts";

type Became = "delivered" | "failed" | "dropped";

/** Notes what came of an attempt, and what follows from it for the webhook or browser, in one transaction. */
export async function noteOutcome(context: DeliveryPorts, delivery: Delivery, attempt: Attempt): Promise<Became> {
  const at = context.now();
  if (attempt.kind === "dropped") {
    await context.db.delivery.updateMany({
      where: { id: delivery.id, deliveredAt: null, failedAt: null },
      data: { failedAt: at, lastError: attempt.why },
    });
    return "dropped";
  }
  const verdict = attempt.kind === "failed" ? "failed" : verdictOf(attempt.status);
  if (verdict === "delivered") return noteDelivered(context, delivery, at, attempt);
  await noteFailure(context, delivery, at, attempt);
  return "failed";
}

/** The sender that got the yes notes it, also where its claim ran out meanwhile. */
async function noteDelivered(
  context: DeliveryPorts,
  { id, channel, targetId }: Delivery,
  at: Date,
  attempt: Exclude<Attempt, { kind: "dropped" }>,
): Promise<Became> {
  const lastStatus = attempt.kind === "answered" ? attempt.status : null;
  await inTransaction(context, async (tx) => {
    await tx.delivery.updateMany({
      where: { id, deliveredAt: null },
      data: { deliveredAt: at, failedAt: null, lastStatus, lastError: null, ...answeredBy(attempt) },
    });
    if (channel === "WEBHOOK")
      await tx.webhook.updateMany({
        where: { id: targetId, failingSince: { not: null } },
        data: { failingSince: null },
      });
    else await tx.pushSubscription.updateMany({ where: { id: targetId }, data: { lastUsedAt: at } });
  });
  return "delivered";
}

/** The row names who was asked, also where the webhook has another address by now. */
const answeredBy = ({ sentTo }: { sentTo?: string }) => (sentTo === undefined ? {} : { target: new URL(sentTo).host });

/** The next attempt, or none. A worker whose claim ran out meanwhile writes nothing. */
async function noteFailure(
  context: DeliveryPorts,
  delivery: Delivery,
  at: Date,
  attempt: Exclude<Attempt, { kind: "dropped" }>,
): Promise<void> {
  const { id, attempts, channel } = delivery;
  const { status, retryAfter } = attempt.kind === "answered" ? attempt : { status: null, retryAfter: null };
  const lastError = attempt.kind === "failed" ? attempt.cause : sentenceOf(attempt.status);
  const saysGone = status === 410 || (channel === "PUSH" && status === 404);
  const noted = await inTransaction(context, async (tx) => {
    const isOfOldAddress = await hasMoved(tx, delivery, attempt.sentTo);
    const isGone = saysGone && !isOfOldAddress;
    const wait = isGone ? null : retryWaitMs(attempts, retryAfter);
    const { count } = await tx.delivery.updateMany({
      where: { id, attempts, deliveredAt: null, failedAt: null },
      data: {
        lastStatus: status,
        lastError,
        ...answeredBy(attempt),
        ...(wait === null ? { failedAt: at } : { dueAt: new Date(at.getTime() + wait) }),
      },
    });
    if (count === 0) return null;
    if (channel === "PUSH") {
      if (isGone) await forgetBrowser(tx, delivery, at);
    } else if (!isOfOldAddress) await judgeWebhook(context, tx, delivery, at, { isGone, hasGivenUp: wait === null });
    return { isFinal: wait === null };
  });
  if (noted !== null)
    context.log[noted.isFinal ? "error" : "warn"]("delivery.failed", {
      deliveryId: id,
      kind: channel,
      attempt: attempts,
      reason: lastError,
    });
}

/** Whether the webhook has another address by now: what the old one answered says nothing of it. Its row is locked until this is noted. */
async function hasMoved(tx: Tx, { targetId, userId }: Delivery, sentTo: string | undefined): Promise<boolean> {
  if (sentTo === undefined) return false;
  await tx.$queryRaw`select 1 from "Webhook" where "id" = ${targetId}::uuid for update`;
  const webhook = await tx.webhook.findUnique({ where: { id: targetId }, select: { sealedTarget: true } });
  if (webhook === null) return false;
  try {
    return openWebhook(webhook.sealedTarget, userId).url !== sentTo;
  } catch {
    // It could be opened when it was sent to: it was written anew since.
    return true;
  }
}

const sentenceOf = (status: number) =>
  status >= 300 && status < 400 ? `answered ${status}: redirects are not followed` : `answered ${status}`;

/** The push service says that this browser is no longer subscribed. */
async function forgetBrowser(tx: Tx, { targetId }: Delivery, at: Date): Promise<void> {
  await tx.pushSubscription.deleteMany({ where: { id: targetId } });
  await dropWaiting(tx, targetId, at, "the browser is no longer subscribed");
}

/** A webhook that says it is gone, or that took nothing for days, is switched off, and its owner is notified. */
async function judgeWebhook(
  context: DeliveryPorts,
  tx: Tx,
  delivery: Delivery,
  at: Date,
  { isGone, hasGivenUp }: { isGone: boolean; hasGivenUp: boolean },
): Promise<void> {
  const { targetId: id, userId } = delivery;
  await tx.webhook.updateMany({ where: { id, failingSince: null }, data: { failingSince: at } });
  const webhook = await tx.webhook.findUnique({ where: { id } });
  const failingForMs = at.getTime() - (webhook?.failingSince ?? at).getTime();
  if (!webhook || webhook.disabledAt !== null) return;
  if (!isGone && !isFailingForGood({ failingForMs, hasGivenUp })) return;
  const reason = isGone ? "the receiver answered that it is gone (410)" : "nothing was delivered for three days";
  await tx.webhook.update({ where: { id }, data: { disabledAt: at, disabledReason: reason } });
  await dropWaiting(tx, id, at, "the webhook was switched off");
  const { log } = context;
  log.warn("webhook.disabled", { userId, reason });
  await recordEvent(context, tx, {
    level: "warn",
    message: `Your webhook was switched off: ${reason}. Save it again under Settings, Notifications, to switch it on.`,
    userId,
    alerts: [
      { to: { userId }, key: `webhook-off:${id}:${at.toISOString()}`, subject: "Your webhook was switched off" },
    ],
    at,
    audit: { eventType: "WEBHOOK_DISABLED", data: { reason } },
  });
}
