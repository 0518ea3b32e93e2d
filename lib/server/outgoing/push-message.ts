import webpush from "web-push";
import { env } from "../env.ts";
import type { OutgoingPost } from "./post.ts";
import { pushPublicKey, type PushKeys } from "./push-keys.ts";

/** A push that finds no browser for so long is dropped by the push service. */
const TTL_SECONDS = 24 * 60 * 60;

/**
 * The request to a push service (RFC 8030, 8291, 8292): encrypted for the browser, signed by this installation. `topic`: one
 * that still waits there under the same is replaced.
 */
export function pushPost(
  to: PushKeys,
  text: string,
  { topic, isUrgent }: { topic: string; isUrgent: boolean },
): OutgoingPost {
  const { VAPID_PRIVATE_KEY = "", VAPID_SUBJECT, SUPPORT_EMAIL } = env();
  const { p256dh, auth } = to;
  // As it is connected to: the library reads addresses by other rules than `URL`.
  const { href: endpoint } = new URL(to.endpoint);
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    TTL: TTL_SECONDS,
    topic,
    urgency: isUrgent ? "high" : "normal",
    contentEncoding: "aes128gcm",
    vapidDetails: {
      subject: VAPID_SUBJECT ?? `mailto:${SUPPORT_EMAIL}`,
      publicKey: pushPublicKey() ?? "",
      privateKey: VAPID_PRIVATE_KEY,
    },
  });
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return { url: endpoint, headers: Object.fromEntries(named), body };
}
