import { env } from "../env.ts";
import { DEVICE_MARK_MS, readDeviceMark, writeDeviceMark, type DeviceMark } from "../secrets/device-mark.ts";

const cookieName = () => (env().APP_BASE_URL.startsWith("https://") ? "__Secure-tradewind.device" : "tradewind.device");

/** Set-Cookie for a device on which this person signed in or used a link from their mailbox. */
export function deviceMarkHeader(email: string): string {
  const parts = [
    `${cookieName()}=${writeDeviceMark(email, new Date())}`,
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
