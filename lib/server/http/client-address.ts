import { isIP } from "node:net";
import { env } from "../env.ts";

/**
 * The caller's address in its one spelling, or null when it is not known. Each proxy appends the address it saw to
 * X-Forwarded-For, and our own front server (`scripts/web.mjs`) hands on that list with the address of the connection at its end,
 * in a header whose name no caller can guess. With n proxies of the operator the caller stands before the last n entries; what
 * stands before it is the caller's own claim. Without the front server the list ends at the last proxy.
 */
export function clientAddress(headers: Headers): string | null {
  const proxies = env().TRUSTED_PROXIES;
  const handedOn = frontHeader();
  if (handedOn !== undefined) return parseAddress(entriesOf(headers.get(handedOn)).at(-1 - proxies));
  return proxies === 0 ? null : parseAddress(entriesOf(headers.get("x-forwarded-for")).at(-proxies));
}

/** Set by the front server, which runs in this process; undefined where there is none. */
const frontHeader = () => (globalThis as { tradewindFrontHeader?: string }).tradewindFrontHeader;

/** The headers that tell the caller's address: what calls on behalf of a caller has to carry on. */
export const addressHeaders = (): string[] => [frontHeader() ?? "x-forwarded-for"];

const entriesOf = (list: string | null) => (list ?? "").split(",").map((entry) => entry.trim());

/** The IPv4 addresses that an IPv6 address may stand for: mapped ones and those of NAT64's prefix. */
const IPV4_IN_IPV6 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** An address as proxies write it, with or without port, brackets and zone; null for what is none. */
export function parseAddress(text: string | undefined): string | null {
  const written = (text ?? "").trim();
  const [, bracketed, plain] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(written) ?? [];
  const [address = ""] = (bracketed ?? plain ?? written).split("%");
  if (isIP(address) === 4) return bracketed === undefined ? address : null;
  if (isIP(address) !== 6) return null;
  const compressed = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high, low] = IPV4_IN_IPV6.exec(compressed) ?? [];
  if (high === undefined || low === undefined) return compressed;
  const bytes = [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]);
  return bytes.join(".");
}
