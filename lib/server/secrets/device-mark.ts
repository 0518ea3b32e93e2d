import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

export const DEVICE_MARK_MS = 90 * DAY_MS;

/**
 * What a device carries after a successful sign-in or a used reset link. It grants no access: it gives its owner a budget of
 * password checks that no other caller can use up.
 */
export interface DeviceMark {
  /** Names the device among those of the account; new with each mark. */
  id: string;
  /** `accountKey` of the email address that signed in. */
  account: string;
}

/** Names an account by its email address, known or not. */
export const accountKey = (email: string) => createHash("sha256").update(email).digest("base64url").slice(0, 22);

export function writeDeviceMark(email: string, at: Date): string {
  const said = [
    Math.floor((at.getTime() + DEVICE_MARK_MS) / 1000),
    accountKey(email),
    randomBytes(9).toString("base64url"),
  ];
  const [secret = ""] = secrets();
  return `${said.join(".")}.${signature(said.join("."), secret)}`;
}

/** Null for what we did not sign, and for a mark that is over. */
export function readDeviceMark(text: string, now: Date): DeviceMark | null {
  const [, said = "", until = "", account = "", id = "", signed = ""] =
    /^((\d{1,12})\.([\w-]{22})\.([\w-]{12}))\.([\w-]{43})$/.exec(text) ?? [];
  if (signed === "" || Number(until) * 1000 <= now.getTime()) return null;
  const isOurs = secrets().some((secret) => timingSafeEqual(Buffer.from(signed), Buffer.from(signature(said, secret))));
  return isOurs ? { id, account } : null;
}

export const isMarkOf = (mark: DeviceMark | null | undefined, email: string): mark is DeviceMark =>
  mark?.account === accountKey(email);

/** Newest first. */
const secrets = () => env().NEXTAUTH_SECRET.split(",");

const signature = (said: string, secret: string) =>
  createHmac("sha256", secret).update(`device|${said}`).digest("base64url");
