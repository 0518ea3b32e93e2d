import { createECDH } from "node:crypto";
import { env } from "../env.ts";

export interface PushKeys {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** What browsers subscribe with, base64url; null where this installation sends no browser notifications. */
export function pushPublicKey(): string | null {
  const { VAPID_PRIVATE_KEY } = env();
  if (VAPID_PRIVATE_KEY === undefined) return null;
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(VAPID_PRIVATE_KEY, "base64url"));
  return pair.getPublicKey().toString("base64url");
}

/** Whether a browser's keys are ones that a message can be encrypted for: a point of the curve, and 16 bytes. */
export function arePushKeys({ p256dh, auth }: Pick<PushKeys, "p256dh" | "auth">): boolean {
  try {
    const pair = createECDH("prime256v1");
    pair.generateKeys();
    pair.computeSecret(Buffer.from(p256dh, "base64url"));
    return Buffer.from(p256dh, "base64url").length === 65 && Buffer.from(auth, "base64url").length === 16;
  } catch {
    return false;
  }
}
