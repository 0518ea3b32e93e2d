import { env } from "../../env.ts";
import type { DeliveryPayload } from "../../outgoing/delivery-payload.ts";
import { postOutside, type PostOptions } from "../../outgoing/post.ts";
import { webhookHeaders } from "../../outgoing/sign-webhook.ts";
import { oldSecretsAt, openWebhook } from "../../secrets/seal-webhook.ts";
import type { Attempt, Delivery, DeliveryPorts } from "./send-due-deliveries.ts";

/** One attempt at a person's webhook, signed as Standard Webhooks ask for. */
export async function postWebhook(
  { db, now }: DeliveryPorts,
  { id, notificationId, targetId, userId }: Delivery,
  payload: DeliveryPayload,
  options: PostOptions,
): Promise<Attempt> {
  const webhook = await db.webhook.findUnique({ where: { id: targetId } });
  if (!webhook || webhook.disabledAt !== null) return { kind: "dropped", why: "the webhook is switched off" };
  let target;
  try {
    target = openWebhook(webhook.sealedTarget, userId);
  } catch {
    return { kind: "failed", cause: "the stored webhook cannot be opened" };
  }
  const { url, secret } = target;
  const at = now();
  const body = JSON.stringify(webhookBody(id, notificationId, payload));
  const headers = {
    "content-type": "application/json",
    "user-agent": "Tradewind",
    ...webhookHeaders(id, at, body, [secret, ...oldSecretsAt(target, at).map((old) => old.secret)]),
  };
  return { ...(await postOutside({ url, headers, body }, options)), sentTo: url };
}

/** What a receiver reads (docs/notifications.md): fields are added, and never change their meaning. */
function webhookBody(id: string, notificationId: string | null, { kind, link, ...said }: DeliveryPayload) {
  const { createdAt, marketAt, title, text, environment } = said;
  return {
    id,
    notificationId,
    type: `notification.${kind.toLowerCase()}`,
    createdAt,
    marketAt,
    title,
    text,
    environment,
    link: link === null ? null : `${env().APP_BASE_URL}${link}`,
  };
}
