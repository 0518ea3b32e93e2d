import type { IncomingHttpHeaders } from "node:http";
import { type Arrival, wallMs } from "../arrivals.ts";
import { expireOverdue } from "../book/day.ts";
import { Refusal } from "../book/refusal.ts";
import type { ExchangeState } from "../book/state.ts";
import type { AccountState } from "../book/types.ts";
import { type Asked, createReadings, decidedByFault } from "../faults/access.ts";
import type { Fault } from "../faults.ts";
import type { Scope } from "../oauth/grants.ts";
import { DATA_KEY_ID } from "./callers.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Reply, Route } from "./router.ts";
import { refusalReply } from "./send.ts";

/** A request that was read, and who sends it. */
export interface IdentifiedRequest extends Asked {
  accountState: AccountState | null;
  /** What a token may do; null for keys, which may do everything. */
  scopes: readonly Scope[] | null;
  hasDataKeys: boolean;
  body: unknown;
  /** The caller's headers. */
  sent: IncomingHttpHeaders;
  headers: Record<string, string>;
  arrival: Arrival | null;
}

interface DispatcherOptions {
  state: ExchangeState;
  routes: readonly Route[];
  rateLimit: RateLimit;
}

export interface Dispatcher {
  /** Serves one request against the book; rows are committed before it returns. */
  serve(request: IdentifiedRequest): Promise<Reply>;
  /** Called when a fault begins that depends on how things stand then. */
  freeze(fault: Fault): void;
}

type Readings = ReturnType<typeof createReadings>;
interface Found {
  route: Route;
  params: string[];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 40010000, "request path is invalid");
  }
}

function findRoute(routes: readonly Route[], method: string, path: string): Found | Reply {
  let isPathKnown = false;
  for (const route of routes) {
    const match = route.pattern.exec(path);
    if (match === null) continue;
    isPathKnown = true;
    if (route.method === method) return { route, params: match.slice(1).map(decoded) };
  }
  return isPathKnown
    ? { status: 405, body: { message: "method not allowed." } }
    : { status: 404, body: { code: 40410000, message: "endpoint not found." } };
}

/** Reading is open to every token, the Data API to those with its scope. */
function scopeNeeded(route: Route, { method, path }: IdentifiedRequest): Scope | null {
  if (route.access === "data") return "data";
  if (method === "GET") return null;
  return /^\/v2\/(orders|positions)/.test(path) ? "trading" : "account:write";
}

function isBeyondScopes(route: Route, request: IdentifiedRequest): boolean {
  const needed = scopeNeeded(route, request);
  return request.scopes !== null && needed !== null && !request.scopes.includes(needed);
}

/** The refusal of a caller who may not, or not so often; null when the way is free. */
function refusedAtDoor(rateLimit: RateLimit, route: Route, request: IdentifiedRequest): Reply | null {
  const { accountState, hasDataKeys, headers } = request;
  if (route.access === "open") return null;
  if (accountState === null && !(route.access !== "trading" && hasDataKeys))
    return { status: 401, body: { message: "unauthorized." } };
  // The document lists what each scope opens, not how a call without it is refused.
  if (isBeyondScopes(route, request)) return { status: 403, body: { message: "forbidden." } };
  // Data keys have no account whose trading calls could be counted.
  const bucket = route.access === "data" || accountState === null ? "data" : "trading";
  if (rateLimit.take(accountState?.account.id ?? DATA_KEY_ID, bucket, headers)) return null;
  return route.access === "data"
    ? { status: 429, body: { message: "too many requests." } }
    : { status: 429, body: { code: 42910000, message: "rate limit exceeded" } };
}

/** Runs the route's handler, with the faults that decide in the book's stead or change what it shows. */
function runHandler(
  state: ExchangeState,
  readings: Readings,
  { route, params }: Found,
  request: IdentifiedRequest,
): Reply {
  const { accountState, method, path, query, body, sent } = request;
  const call = { state, method, path, query, params, body, sent };
  const isStruckAt = accountState !== null && route.access !== "open" && state.faults.isAny();
  const decided = isStruckAt ? decidedByFault(state, accountState, request) : null;
  if (decided !== null) return decided;
  if (route.access !== "trading") return route.serve(call);
  // Only callers with an account get this far.
  const trader = accountState as AccountState;
  if (!isStruckAt) return route.serve({ ...call, accountState: trader });
  const reply = orRefusal(() => route.serve({ ...call, accountState: trader }));
  return readings.shown(reply, trader, request);
}

function orRefusal(serve: () => Reply): Reply {
  try {
    return serve();
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error);
    throw error;
  }
}

/** What an account is answered now, without a request of its own. */
function answerNow({ state, routes }: DispatcherOptions, accountState: AccountState, path: string): Reply {
  const found = findRoute(routes, "GET", path);
  if ("status" in found || found.route.access !== "trading") throw new Error(`no answer to ${path}`);
  return found.route.serve({
    state,
    method: "GET",
    path,
    query: new URLSearchParams(),
    params: [],
    body: undefined,
    accountState,
  });
}

/** Finds the route of a request, checks its caller, and lets the book answer. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { state, routes, rateLimit } = options;
  const readings = createReadings(state, (accountState, path) => answerNow(options, accountState, path));
  return {
    async serve(request) {
      const found = findRoute(routes, request.method, request.path);
      if ("status" in found) return found;
      const refused = refusedAtDoor(rateLimit, found.route, request);
      if (refused !== null) return refused;
      const { accountState, arrival } = request;
      const hasExpired =
        found.route.access === "trading" && accountState !== null && expireOverdue(state, accountState);
      if (arrival !== null) arrival.served_wall_ms = wallMs();
      try {
        const reply = orRefusal(() => runHandler(state, readings, found, request));
        if (arrival !== null) arrival.served_status = reply.status;
        return reply;
      } finally {
        if (request.method !== "GET" || hasExpired) await state.journal.commit();
      }
    },
    freeze: (fault) => readings.freeze(fault),
  };
}
