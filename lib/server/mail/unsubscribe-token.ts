import { createHmac, timingSafeEqual } from "node:crypto";
import { idIn } from "@/lib/contracts/codecs.ts";
import { kindOfToken, type UnsubscribeKind } from "@/lib/contracts/notifications.ts";
import { env } from "../env.ts";

/**
 * What a mail's unsubscribe link carries: the kind of mail, the person and a signature, "weekly.<uuid>.<signature>".
 * It opens nothing else, works without a sign-in and has no term: it holds for as long as the secret that signed it is in
 * NEXTAUTH_SECRET (docs/operations.md).
 */
export function writeUnsubscribeToken(kind: UnsubscribeKind, userId: string): string {
  const [newest = ""] = secrets();
  return `${kind}.${userId}.${signature(kind, userId, newest)}`;
}

/** Null for what was not signed here. */
export function readUnsubscribeToken(token: string): { kind: UnsubscribeKind; userId: string } | null {
  const [, userId = "", signed = "", ...rest] = token.split(".");
  const kind = kindOfToken(token);
  if (kind === null || rest.length > 0 || !idIn.safeParse(userId).success) return null;
  return secrets().some((secret) => isSame(signed, signature(kind, userId, secret))) ? { kind, userId } : null;
}

/** Newest first: it signs. */
const secrets = () => env().NEXTAUTH_SECRET.split(",");

function signature(kind: UnsubscribeKind, userId: string, secret: string): string {
  return createHmac("sha256", secret).update(`unsubscribe|${kind}|${userId}`).digest("base64url");
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
