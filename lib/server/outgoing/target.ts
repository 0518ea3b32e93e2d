import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { env } from "../env.ts";
import { isPublicAddress } from "./public-address.ts";

const URL_MAX = 2_000;
const PORTS = new Set(["", "443", "8443"]);
const DNS_TIMEOUT_MS = 2_000;

/** The addresses of a host. Throws where there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Where a call outside goes: one of the addresses that were checked, whatever the name says a moment later. */
export interface CheckedTarget {
  url: URL;
  /** Without the brackets of IPv6. */
  host: string;
  addresses: string[];
}

/** Hosts that the operator allowed: any port and address, and http. */
function isAllowed({ hostname, port, protocol }: URL): boolean {
  const named = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return env().WEBHOOK_ALLOW_HOSTS.some((allowed) => allowed === hostname || allowed === `${hostname}:${named}`);
}

const plainHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, "$1");

/** Why nothing is sent to this address, as far as it shows without a look at DNS; null where it may be. */
export function targetProblem(address: string): string | null {
  if (address.length > URL_MAX) return "This address is too long.";
  if (!URL.canParse(address)) return "Enter a whole address, https://…";
  const url = new URL(address);
  if (url.username !== "" || url.password !== "") return "An address with a user name or password is not taken.";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "Enter an address with https://";
  if (isAllowed(url)) return null;
  if (url.protocol !== "https:") return "Enter an address with https://";
  if (!PORTS.has(url.port)) return "Only the ports 443 and 8443 are used.";
  const host = plainHost(url);
  const isName = isIP(host) === 0;
  if (isName && (!host.includes(".") || host.endsWith("."))) return "Enter the full name of a public server.";
  return isName || isPublicAddress(host) ? null : NOT_PUBLIC;
}

/** The same for a name of another network, an unknown name and no answer: what DNS of this network knows is not told. */
export const NOT_PUBLIC = "This address does not lead to a server on the public internet.";

/** Raised before anything is sent. */
export class TargetRefused extends Error {}

/** Resolves an address and checks all that its name leads to: one that is not public refuses it whole. */
export async function checkTarget(address: string, resolve: Resolve = resolveHost): Promise<CheckedTarget> {
  const problem = targetProblem(address);
  if (problem !== null) throw new TargetRefused(problem);
  const url = new URL(address);
  const host = plainHost(url);
  if (isIP(host) !== 0) return { url, host, addresses: [host] };
  // A name that cannot be resolved is refused like one of a private address.
  if (isAllowed(url)) {
    const found = await lookup(host, { all: true }).catch(() => []);
    if (found.length === 0) throw new TargetRefused(NOT_PUBLIC);
    return { url, host, addresses: found.map((one) => one.address) };
  }
  const addresses = await resolve(host).catch(() => []);
  if (addresses.length === 0 || !addresses.every(isPublicAddress)) throw new TargetRefused(NOT_PUBLIC);
  return { url, host, addresses };
}

/** Asks DNS itself: the names that this machine knows from its own files are not those of the internet. */
async function resolveHost(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}
