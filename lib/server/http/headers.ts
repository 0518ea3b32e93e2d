import { API_BASE } from "@/lib/contracts/api-base.ts";
import { env } from "../env.ts";

/** Where browsers report what the policy stopped. */
const REPORTS = "/api/v1/csp-report";

/**
 * Sonner writes its style into the page without a nonce, first an empty element and then the text: these are the digests
 * of nothing and of that very style.
 */
const TOASTER_STYLE =
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='";

/** Another origin than the pages', where the build was given one for the API. */
const OTHER_ORIGIN = URL.canParse(API_BASE) ? [new URL(API_BASE).origin] : [];

const serialize = (directives: Record<string, string[]>) =>
  Object.entries(directives)
    .map(([name, values]) => [name, ...values].join(" "))
    .join("; ");

const isSecure = () => env().APP_BASE_URL.startsWith("https://");

/**
 * What a page may load and run: what is ours, and of scripts only those that carry this answer's nonce and what they
 * load themselves. No text becomes markup or code, except as instrumentation-client.ts allows it, and nothing inline is
 * let in for being inline. Next's development build writes styles and names errors by eval; the built product is held
 * to all of it.
 */
function pagePolicy(nonce: string): string {
  const isDevelopment = env().NODE_ENV === "development";
  return serialize({
    "default-src": ["'self'"],
    "script-src": ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(isDevelopment ? ["'unsafe-eval'"] : [])],
    "style-src": ["'self'", ...(isDevelopment ? ["'unsafe-inline'"] : [`'nonce-${nonce}'`, TOASTER_STYLE])],
    "img-src": ["'self'", "data:"],
    "font-src": ["'self'"],
    "connect-src": ["'self'", ...OTHER_ORIGIN],
    "object-src": ["'none'"],
    "frame-src": ["'none'"],
    // The one that shows pushes; instrumentation-client.ts lets no other run.
    "worker-src": ["'self'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
    ...(isDevelopment ? {} : { "require-trusted-types-for": ["'script'"], "trusted-types": ["default"] }),
    ...(isSecure() ? { "upgrade-insecure-requests": [] } : {}),
    // All browsers send it; its successor, report-to, arrives a minute later and not from all.
    "report-uri": [REPORTS],
  });
}

/** An API response is data: opened in a tab it loads nothing, runs nothing and cannot be framed. */
const DATA_POLICY = serialize({ "default-src": ["'none'"], "base-uri": ["'none'"], "frame-ancestors": ["'none'"] });

/** A browser that used https uses nothing else for a year. */
const transport = (): Record<string, string> =>
  isSecure() ? { "strict-transport-security": "max-age=31536000; includeSubDomains" } : {};

/** Headers that depend on the request or on the set-up. Headers of every response are in scripts/headers.mjs. */
export const pageHeaders = (nonce: string) => ({ "content-security-policy": pagePolicy(nonce), ...transport() });

export const dataHeaders = () => ({ "content-security-policy": DATA_POLICY, ...transport() });
