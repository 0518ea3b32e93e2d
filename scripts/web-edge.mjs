// What never reaches Next: requests that it would answer with 500, and lines that send too slowly.
import { randomBytes, randomUUID } from "node:crypto";
import http from "node:http";
import { HEADERS } from "./headers.mjs";

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * How long a line may take to send its headers, and a whole request. One that rests is kept for longer than proxies keep theirs:
 * who closes it first cuts off the request that is just coming in on it.
 */
export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  // Node looks for lines that are late only this often: every 30 s unless told otherwise.
  connectionsCheckingInterval: 1_000,
};

/** Lines held at once; more are closed as they come. A line costs some 10 KB here, and proxies share theirs. */
export const CONNECTIONS_MAX = 5_000;

/**
 * What Next is started with. It attaches a listener for upgrades to the server that it is given, or else to that of its first
 * request, and leaves a line open for good where it matches no route. This one never listens; ours has no such listener, so that Node
 * reads what asks for an upgrade as any other request, with the refusals, the time limits and the admission of all.
 */
export const nextOptions = ({ hostname, port }) => ({
  dev: false,
  dir: process.cwd(),
  hostname,
  port,
  httpServer: http.createServer(),
});

/** Of a new name in every process, so that no caller can send this header. `lib/server/http/client-address.ts` reads it. */
const frontHeader = `x-front-${randomBytes(12).toString("hex")}`;
globalThis.tradewindFrontHeader = frontHeader;

/** Hands on where a request came from: what proxies say of it, and the address of the connection. */
export function handOnAddress(request) {
  const said = request.headers["x-forwarded-for"];
  request.headers[frontHeader] = [...(said ? [said] : []), request.socket.remoteAddress ?? "unknown"].join(", ");
}

/**
 * The target as a path: the form with a scheme and a host is for proxies, and of what stands before the path nothing is believed
 * here. Next would lead its sender there.
 */
export function readTarget(request) {
  request.url = request.url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/^(?=[?#]|$)/, "/");
}

/** Pages are read. Next would take any other call of one for a server action, of which this product has none. */
const PAGE_METHODS = new Set(["GET", "HEAD"]);

/** Why a request goes no further, or null. */
export function refusalOf({ method, url, headers = {} }) {
  if (!METHODS.has(method)) return notAllowed(METHODS);
  if (!isReadable(url)) return { status: 400, code: "invalid_input", error: "This address cannot be read." };
  const isPage = !url.startsWith("/api/");
  if (isPage && !PAGE_METHODS.has(method)) return notAllowed(PAGE_METHODS);
  if (headers["next-action"] !== undefined)
    return { status: 400, code: "invalid_input", error: "There are no server actions here." };
  return null;
}

const notAllowed = (methods) => ({
  status: 405,
  code: "method_not_allowed",
  error: "This address does not answer that.",
  allow: [...methods].join(", "),
});

/** Every percent sign of the path begins a byte, and the bytes are UTF-8. A query is decoded by the code that reads it. */
function isReadable(url) {
  if (url === "*") return false;
  try {
    decodeURIComponent(url.split("?", 1)[0]);
    return true;
  } catch {
    return false;
  }
}

/** Begins an answer of the edge itself; closes the line unless `headers` say otherwise. */
export const beginAnswer = (status, headers, response) =>
  response.writeHead(status, {
    ...HEADERS,
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
    "x-request-id": randomUUID(),
    connection: "close",
    ...headers,
  });

/** Answers it in the envelope of every other answer; `more` are headers. */
export function refuse({ status, code, error, ...more }, response) {
  const requestId = randomUUID();
  const headers = { "content-type": "application/json; charset=utf-8", "x-request-id": requestId, ...more };
  beginAnswer(status, headers, response).end(JSON.stringify({ success: false, data: null, error, code, requestId }));
}
