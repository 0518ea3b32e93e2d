import type { DeliveryPayload } from "../../outgoing/delivery-payload.ts";
import { postOutside, type PostOptions } from "../../outgoing/post.ts";
import { pushPublicKey } from "../../outgoing/push-keys.ts";
import { pushPost } from "../../outgoing/push-message.ts";
import type { Attempt, Delivery, DeliveryPorts } from "./send-due-deliveries.ts";

/** A push service takes 4096 bytes of ciphertext at most; so many characters fit in any script. */
const TITLE_MAX = 150;
const TEXT_MAX = 400;

/** One attempt at a browser's push service. */
export async function postPush(
  { db }: DeliveryPorts,
  { id, targetId, notificationId, isUrgent }: Delivery,
  { title, text, environment, link }: DeliveryPayload,
  options: PostOptions,
): Promise<Attempt> {
  const subscription = await db.pushSubscription.findUnique({ where: { id: targetId } });
  if (!subscription) return { kind: "dropped", why: "notifications are off in this browser" };
  if (pushPublicKey() === null) return { kind: "dropped", why: "this installation sends no browser notifications" };
  // What continues takes the place of what it said before, at the push service and on the screen.
  const tag = notificationId ?? id;
  const shown = { tag, title: clipped(title, TITLE_MAX), text: clipped(text, TEXT_MAX), environment, link };
  const post = pushPost(subscription, JSON.stringify(shown), { topic: tag.replaceAll("-", ""), isUrgent });
  return postOutside(post, options);
}

const clipped = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
