import { env } from "../env.ts";
import {
  DEVICE_MARK_MS,
  readDeviceMark,
  writeDeviceMark,
  type DeviceMark,
  type Marked,
} from "../secrets/device-mark.ts";

const cookieName = () => (env().APP_BASE_URL.startsWith("https://") ? "__Secure-tradewind.device" : "tradewind.device");

/**
 * Set-Cookie for a device on which this person signed in or used a link from their mailbox. With the request of a sign-in, a
 * mark of theirs that the device carries is renewed under its id, so that signing in again opens no new budget.
 */
export function deviceMarkHeader(marked: Marked, request?: Request): string {
  const now = new Date();
  const carried = request ? deviceMarkOf(request.headers, now) : null;
  const id = carried?.account === marked.account ? carried.id : undefined;
  const parts = [
    `${cookieName()}=${writeDeviceMark(marked, now, id)}`,
    "Path=/api",
    "HttpOnly",
    "SameSite=Lax",
    `Max-Age=${DEVICE_MARK_MS / 1000}`,
  ];
  return [...parts, ...(env().APP_BASE_URL.startsWith("https://") ? ["Secure"] : [])].join("; ");
}

export const isDeviceMark = (setCookie: string) => setCookie.startsWith(`${cookieName()}=`);

/** The mark that the caller's device carries. */
export function deviceMarkOf(headers: Headers, now: Date): DeviceMark | null {
  const name = cookieName().replaceAll(".", "\\.");
  const [, text = ""] =
    new RegExp(`(?:^|;\\s*)${name}=([\\w.-]{1,200})(?:;|$)`).exec(headers.get("cookie") ?? "") ?? [];
  return readDeviceMark(text, now);
}
