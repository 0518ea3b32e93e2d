import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { DAY_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

export const DEVICE_MARK_MS = 90 * DAY_MS;

/**
 * What a device carries after a successful sign-in or a used reset link. It grants no access: it gives its owner a budget of
 * password checks that no other caller can use up.
 */
export interface DeviceMark {
  /** Names the device among those of the account: a mark that is renewed keeps it. */
  id: string;
  /** `accountKey` of the email address that signed in. */
  account: string;
  /** `passwordStamp` of the password that was in force; null in marks of releases that did not say it. */
  stamp: string | null;
}

/** What a mark says of the person it is made for. */
export type Marked = Pick<DeviceMark, "account"> & { stamp: string };

/** Names an account by its email address, known or not. */
export const accountKey = (email: string) => createHash("sha256").update(email).digest("base64url").slice(0, 22);

/** Names a password by its stored hash: it changes with each new one, and tells nothing of either. */
const passwordStamp = (passwordHash: string) =>
  createHash("sha256").update(`device|${passwordHash}`).digest("base64url").slice(0, 12);

export const markedBy = ({ email, passwordHash }: { email: string; passwordHash: string }): Marked => ({
  account: accountKey(email),
  stamp: passwordStamp(passwordHash),
});

/** A mark for a new device, or the one of this id anew. */
export function writeDeviceMark({ account, stamp }: Marked, at: Date, id?: string): string {
  const said = [
    Math.floor((at.getTime() + DEVICE_MARK_MS) / 1000),
    account,
    id ?? randomBytes(9).toString("base64url"),
    stamp,
  ];
  const [secret = ""] = secrets();
  return `${said.join(".")}.${signature(said.join("."), secret)}`;
}

/** Null for what we did not sign, and for a mark that is over. */
export function readDeviceMark(text: string, now: Date): DeviceMark | null {
  const [, said = "", until = "", account = "", id = "", stamp, signed = ""] =
    /^((\d{1,12})\.([\w-]{22})\.([\w-]{12})(?:\.([\w-]{12}))?)\.([\w-]{43})$/.exec(text) ?? [];
  if (signed === "" || Number(until) * 1000 <= now.getTime()) return null;
  const isOurs = secrets().some((secret) => timingSafeEqual(Buffer.from(signed), Buffer.from(signature(said, secret))));
  return isOurs ? { id, account, stamp: stamp ?? null } : null;
}

export const isMarkOf = (mark: DeviceMark | null | undefined, email: string): mark is DeviceMark =>
  mark?.account === accountKey(email);

/** Whether the password of then is still in force. Who knew an earlier one may have collected marks with it. */
export const isMarkOfPassword = ({ stamp }: DeviceMark, passwordHash: string): boolean =>
  stamp === passwordStamp(passwordHash);

/** Newest first. */
const secrets = () => env().NEXTAUTH_SECRET.split(",");

const signature = (said: string, secret: string) =>
  createHmac("sha256", secret).update(`device|${said}`).digest("base64url");
