// What never reaches Next: requests that it would answer with 500, and lines that send too slowly.
import { randomUUID } from "node:crypto";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * How long a line may take to send its headers, and a whole request. One that rests is kept for longer than proxies keep theirs:
 * who closes it first cuts off the request that is just coming in on it.
 */
export const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000 };

/** Pages are read. Next would take any other call of one for a server action, of which this product has none. */
const PAGE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Why a request goes no further, or null. */
export function refusalOf({ method, url, headers = {} }) {
  if (!METHODS.has(method))
    return { status: 405, code: "method_not_allowed", error: "This address does not answer that." };
  if (!isReadable(url)) return { status: 400, code: "invalid_input", error: "This address cannot be read." };
  const isPage = !url.startsWith("/api/");
  if (isPage && !PAGE_METHODS.has(method))
    return { status: 405, code: "method_not_allowed", error: "This address does not answer that." };
  if (headers["next-action"] !== undefined)
    return { status: 400, code: "invalid_input", error: "There are no server actions here." };
  return null;
}

/** Every percent sign of the path begins a byte, and the bytes are UTF-8. A query is read by whoever asks for it. */
function isReadable(url) {
  if (url === "*") return false;
  try {
    decodeURIComponent(url.split("?", 1)[0]);
    return true;
  } catch {
    return false;
  }
}

/** Answers it in the envelope of every other answer. */
export function refuse({ status, code, error }, response) {
  const requestId = randomUUID();
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": requestId,
    ...(status === 405 ? { allow: [...METHODS].join(", ") } : {}),
    connection: "close",
  });
  response.end(JSON.stringify({ success: false, data: null, error, code, requestId }));
}
