import { DAY_MS } from "@/lib/domain/time.ts";
import { env } from "../env.ts";

/** Less than the year that RFC 9116 advises: a site that is no longer kept up stops claiming a contact. */
const HOLDS_MS = 180 * DAY_MS;

/** Where a weakness is reported, as RFC 9116 wants it. */
export function securityText(now: Date): Response {
  const { APP_BASE_URL, SECURITY_CONTACT, SUPPORT_EMAIL } = env();
  const lines = [
    `Contact: ${SECURITY_CONTACT ?? `mailto:${SUPPORT_EMAIL}`}`,
    `Expires: ${new Date(now.getTime() + HOLDS_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${APP_BASE_URL}/.well-known/security.txt`,
  ];
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return new Response(`${lines.join("\n")}\n`, { headers });
}
