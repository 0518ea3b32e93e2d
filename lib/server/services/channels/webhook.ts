import { randomUUID } from "node:crypto";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { channelsApi } from "@/lib/contracts/channels.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { DAY_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";
import type { DeliveryPayload } from "../../outgoing/delivery-payload.ts";
import { checkTarget, TargetRefused } from "../../outgoing/target.ts";
import {
  newWebhookSecret,
  oldSecretsAt,
  openWebhook,
  sealWebhook,
  tryToOpenWebhook,
  type WebhookTarget,
} from "../../secrets/seal-webhook.ts";
import { inTransaction } from "../../core/transaction.ts";
import { lockSignedIn } from "../auth/lock-person.ts";
import { recordPersonEvent } from "../auth/person-event.ts";
import { dropWaiting } from "./drop-waiting.ts";

/** How long the secret before a rotation signs beside the new one. */
const OLD_SECRET_MS = DAY_MS;
const MOST_OLD_SECRETS = 5;

type Webhook = Prisma.WebhookGetPayload<object>;
const NOT_SET = "No webhook is set up.";

export async function readWebhook({ actor, db, now }: Context<"user">): Promise<Given<typeof channelsApi.readWebhook>> {
  const webhook = await db.webhook.findUnique({ where: { userId: actor.userId } });
  return { webhook: webhook && viewOf(webhook, tryToOpenWebhook(webhook.sealedTarget, actor.userId), now()) };
}

/** Sets a webhook up, moves it to another address, or switches one on again that was switched off. */
export async function setWebhook(
  context: Context<"user">,
  { url }: Received<typeof channelsApi.setWebhook>,
): Promise<Given<typeof channelsApi.setWebhook>> {
  const { userId } = context.actor;
  const { host } = await checked(url);
  return inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const at = context.now();
    const known = await tx.webhook.findUnique({ where: { userId } });
    const before = known && tryToOpenWebhook(known.sealedTarget, userId);
    const target: WebhookTarget = before ? { ...before, url } : { url, secret: newWebhookSecret(), oldSecret: null };
    const row = {
      host,
      sealedTarget: sealWebhook(target, userId),
      failingSince: null,
      disabledAt: null,
      disabledReason: null,
    };
    const webhook = await tx.webhook.upsert({
      where: { userId },
      create: { userId, createdAt: at, ...row },
      update: row,
    });
    const isNewAddress = before?.url !== url;
    // What still waits goes to the new address.
    await tx.delivery.updateMany({
      where: { targetId: webhook.id, deliveredAt: null, failedAt: null },
      data: { target: host },
    });
    await recordPersonEvent(context, tx, {
      userId,
      at,
      eventType: "WEBHOOK_SET",
      personal: { host },
      ...(isNewAddress && {
        news: {
          key: `webhook:${webhook.id}:${at.toISOString()}`,
          subject: "A webhook was set up",
          text: `Your notifications are now also sent to ${host}.`,
        },
      }),
    });
    return { webhook: viewOf(webhook, target, at), secret: before ? null : target.secret };
  });
}

async function checked(url: string): Promise<{ host: string }> {
  try {
    const { url: parsed } = await checkTarget(url);
    return { host: parsed.host };
  } catch (error) {
    if (!(error instanceof TargetRefused)) throw error;
    throw new Failure("invalid_input", error.message, { issues: [{ path: "url", message: error.message }] });
  }
}

export async function removeWebhook(context: Context<"user">): Promise<Given<typeof channelsApi.removeWebhook>> {
  const { userId } = context.actor;
  await inTransaction(context, async (tx) => {
    const webhook = await theirs(context, tx);
    await tx.webhook.delete({ where: { id: webhook.id } });
    const at = context.now();
    await dropWaiting(tx, webhook.id, at, "the webhook was removed");
    await recordPersonEvent(context, tx, {
      userId,
      at,
      eventType: "WEBHOOK_REMOVED",
      personal: { host: webhook.host },
    });
  });
  return { webhook: null };
}

export async function rotateSecret(context: Context<"user">): Promise<Given<typeof channelsApi.rotateSecret>> {
  const { userId } = context.actor;
  return inTransaction(context, async (tx) => {
    const { id, host, sealedTarget } = await theirs(context, tx);
    const at = context.now();
    const before = openWebhook(sealedTarget, userId);
    const until = new Date(at.getTime() + OLD_SECRET_MS).toISOString();
    // Which of them its receiver has is not known: each signs for as long as was promised.
    const olderSecrets = oldSecretsAt(before, at);
    if (olderSecrets.length >= MOST_OLD_SECRETS)
      throw new Failure("conflict", "Several new secrets were made within a day. Make another one tomorrow.");
    const target = {
      ...before,
      secret: newWebhookSecret(),
      oldSecret: { secret: before.secret, until },
      olderSecrets,
    } satisfies WebhookTarget;
    const webhook = await tx.webhook.update({ where: { id }, data: { sealedTarget: sealWebhook(target, userId) } });
    await recordPersonEvent(context, tx, { userId, at, eventType: "WEBHOOK_SECRET_ROTATED", personal: { host } });
    return { webhook: viewOf(webhook, target, at), secret: target.secret };
  });
}

/** A test goes the way of a notification, at once and whatever the hour. */
export async function testWebhook(context: Context<"user">): Promise<Given<typeof channelsApi.testWebhook>> {
  const { userId } = context.actor;
  const id = await inTransaction(context, async (tx) => {
    const webhook = await theirs(context, tx);
    if (webhook.disabledAt !== null) throw new Failure("conflict", "The webhook is switched off. Save it again first.");
    const at = context.now();
    const payload: DeliveryPayload = {
      kind: "TEST",
      createdAt: at.toISOString(),
      marketAt: null,
      title: "Test of your webhook",
      text: "Notifications of your account will look like this one.",
      environment: null,
      link: "/settings?tab=notifications",
    };
    const row = {
      userId,
      channel: "WEBHOOK" as const,
      targetId: webhook.id,
      target: webhook.host,
      createdAt: at,
      dueAt: at,
    };
    const made = await tx.delivery.create({
      data: { ...row, dedupeKey: `test:${randomUUID()}`, payload, isUrgent: true },
    });
    return made.id;
  });
  await context.queue.enqueue(jobs.deliveries, {});
  return { id };
}

/** The person's webhook, whose changes take turns. */
async function theirs(context: Context<"user">, tx: Tx): Promise<Webhook> {
  const { userId } = context.actor;
  await lockSignedIn(context, tx);
  const webhook = await tx.webhook.findUnique({ where: { userId } });
  // The address names the caller's own webhook, and is there also without one.
  if (!webhook) throw new Failure("conflict", NOT_SET);
  return webhook;
}

/** One whose seal cannot be opened is posted to no more, and its address is unknown: it is entered again, or removed. */
function viewOf(webhook: Webhook, target: WebhookTarget | null, at: Date) {
  if (target === null) {
    const { createdAt, failingSince } = webhook;
    const why = { disabledAt: webhook.disabledAt ?? at, disabledReason: "the stored address cannot be opened" };
    return { url: "", createdAt, failingSince, ...why, oldSecretUntil: null };
  }
  const { createdAt, failingSince, disabledAt, disabledReason } = webhook;
  const oldSecretUntil = oldSecretsAt(target, at)[0]?.until ?? null;
  return { url: target.url, createdAt, failingSince, disabledAt, disabledReason, oldSecretUntil };
}
