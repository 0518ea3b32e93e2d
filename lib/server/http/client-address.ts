import { env } from "../env.ts";

/**
 * The caller's address, or null when it is not known. Each proxy of ours appends the address it saw to
 * X-Forwarded-For, so with n of them the n-th entry from the end is the caller's; anything before it is
 * the caller's own claim. Next hands no socket address to handlers: without a proxy of ours
 * (TRUSTED_PROXIES=0) nothing can be believed and all callers share one bucket of the limiter.
 */
export function clientAddress(headers: Headers): string | null {
  const hops = env().TRUSTED_PROXIES;
  if (hops === 0) return null;
  const entries = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  const address = entries.at(-hops)?.replace(/^::ffff:/, "");
  return address && /^[0-9a-fA-F:.]{3,45}$/.test(address) ? address : null;
}
