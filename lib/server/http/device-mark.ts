import { createHmac, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

const MARK_MS = 90 * DAY_MS;

const cookieName = () => (env().APP_BASE_URL.startsWith("https://") ? "__Secure-tradewind.device" : "tradewind.device");

/**
 * Set-Cookie for a device with a successful sign-in. It grants no access: it lets its owner go on trying passwords after
 * unknown devices have used up the guesses at the account.
 */
export function deviceMarkHeader(email: string): string {
  const until = String(Math.floor((Date.now() + MARK_MS) / 1000));
  const [secret = ""] = secrets();
  const parts = [
    `${cookieName()}=${until}.${signature(email, until, secret)}`,
    "Path=/api",
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${MARK_MS / 1000}`,
  ];
  return [...parts, ...(env().APP_BASE_URL.startsWith("https://") ? ["Secure"] : [])].join("; ");
}

/** Whether this person signed in on the caller's device within the last 90 days. */
export function bearsDeviceMark(headers: Headers, email: string, now: Date): boolean {
  const [, until = "", signed = ""] =
    new RegExp(`(?:^|;\\s*)${cookieName().replaceAll(".", "\\.")}=(\\d{1,12})\\.([\\w-]{43})(?:;|$)`).exec(
      headers.get("cookie") ?? "",
    ) ?? [];
  if (signed === "" || Number(until) * 1000 <= now.getTime()) return false;
  return secrets().some((secret) => timingSafeEqual(Buffer.from(signed), Buffer.from(signature(email, until, secret))));
}

/** Newest first. */
const secrets = () => env().NEXTAUTH_SECRET.split(",");

function signature(email: string, until: string, secret: string): string {
  return createHmac("sha256", secret).update(`device|${until}|${email}`).digest("base64url");
}
