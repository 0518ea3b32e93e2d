import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { randomUUID } from "node:crypto";
import type { Arrival, Arrivals } from "../arrivals.ts";
import { wallMs } from "../arrivals.ts";
import type { ExchangeState } from "../book/state.ts";
import { Refusal } from "../book/refusal.ts";
import type { AccountState } from "../book/types.ts";
import { type Asked, createReadings, decidedByFault } from "../faults/access.ts";
import { spoiledAnswer } from "../faults/answers.ts";
import type { Fault } from "../faults.ts";
import { AFTER, ANSWER, answer, BEFORE, type Transfer, playAfter, playBefore } from "../faults/wire.ts";
import type { RateLimit } from "./rate-limit.ts";
import { requestUrl } from "./request-url.ts";
import type { Reply, Route } from "./router.ts";
import { refusalReply, sendReply } from "./send.ts";
import { subjectOfRequest } from "./subject.ts";

const BODY_MAX = 1_000_000;
export const DATA_KEY_ID = "TPDATA";

export interface ServerOptions {
  state: ExchangeState;
  routes: readonly Route[];
  controlToken: string | undefined;
  rateLimit: RateLimit;
  arrivals: Arrivals;
  control(request: IncomingMessage, path: string, query: URLSearchParams, body: unknown): Promise<Reply>;
  complain(message: string): void;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_MAX) throw new Refusal(413, 41310000, "request body is too large");
    chunks.push(chunk);
  }
  if (size === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
  } catch {
    throw new Refusal(400, 40010000, "request body format is invalid");
  }
}

function urlOf(request: IncomingMessage): URL {
  try {
    return requestUrl(request.url);
  } catch {
    throw new Refusal(400, 40010000, "request path is invalid");
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refusal(400, 40010000, "request path is invalid");
  }
}

const UNAUTHORIZED: Reply = { status: 401, body: { message: "unauthorized." } };

interface Request extends Asked {
  accountState: AccountState | null;
  hasDataKeys: boolean;
  body: unknown;
  /** The caller's headers. */
  sent: IncomingHttpHeaders;
  headers: Record<string, string>;
  arrival: Arrival | null;
}

export interface ExchangeServer {
  server: Server;
  /** Called when a fault begins that depends on how things stand then. */
  freeze(fault: Fault): void;
}

/** The HTTP side: who is calling, how often, which scripted fault strikes, and the handler in between. */
export function createExchangeServer(options: ServerOptions): ExchangeServer {
  const { state, routes } = options;

  function accountOfKeys(request: IncomingMessage): AccountState | null {
    const keyId = request.headers["apca-api-key-id"];
    const accountState = typeof keyId === "string" ? state.byKeyId.get(keyId) : undefined;
    return accountState !== undefined && accountState.account.secret === request.headers["apca-api-secret-key"]
      ? accountState
      : null;
  }

  function hasDataKeys(request: IncomingMessage): boolean {
    const isData = request.headers["apca-api-key-id"] === DATA_KEY_ID && options.controlToken !== undefined;
    return isData && request.headers["apca-api-secret-key"] === options.controlToken;
  }

  function routeOf(method: string, path: string): { route: Route; params: string[] } | Reply {
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

  /** The refusal of a caller who may not, or not so often; null when the way is free. */
  function refusedAtDoor(route: Route, { accountState, hasDataKeys: isData, headers }: Request): Reply | null {
    if (route.access === "open") return null;
    if (accountState === null && !(route.access === "data" && isData)) return UNAUTHORIZED;
    if (options.rateLimit.take(accountState?.account.id ?? DATA_KEY_ID, route.access, headers)) return null;
    return route.access === "trading"
      ? { status: 429, body: { code: 42910000, message: "rate limit exceeded" } }
      : { status: 429, body: { message: "too many requests." } };
  }

  function served(route: Route, params: string[], asked: Request): Reply {
    const { accountState, method, path, query, body, sent } = asked;
    const call = { state, method, path, query, params, body, sent };
    const isStruckAt = accountState !== null && route.access !== "open" && state.faults.isAny();
    const decided = isStruckAt ? decidedByFault(state, accountState, asked) : null;
    if (decided !== null) return decided;
    if (route.access !== "trading") return route.serve(call);
    // Only callers with an account get this far.
    const trader = accountState as AccountState;
    if (!isStruckAt) return route.serve({ ...call, accountState: trader });
    const reply = refusing(() => route.serve({ ...call, accountState: trader }));
    return readings.shown(reply, trader, asked);
  }

  function refusing(serve: () => Reply): Reply {
    try {
      return serve();
    } catch (error) {
      if (error instanceof Refusal) return refusalReply(error);
      throw error;
    }
  }

  /** Serves one request against the book; rows are committed before it returns. */
  async function serve(asked: Request): Promise<Reply> {
    const found = routeOf(asked.method, asked.path);
    if ("status" in found) return found;
    const { route, params } = found;
    const refused = refusedAtDoor(route, asked);
    if (refused !== null) return refused;
    if (asked.arrival !== null) asked.arrival.served_wall_ms = wallMs();
    try {
      const reply = refusing(() => served(route, params, asked));
      if (asked.arrival !== null) asked.arrival.served_status = reply.status;
      return reply;
    } finally {
      if (asked.method !== "GET") await state.journal.commit();
    }
  }

  const readings = createReadings(state, (accountState, path) => {
    const found = routeOf("GET", path);
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
  });

  function arrivalOf(method: string, url: URL, { accountNumber, symbols, clientOrderId }: Asked["subject"]): Arrival {
    return options.arrivals.add({
      market: new Date(state.view.moment().nowMs).toISOString(),
      method,
      path: url.pathname,
      account_number: accountNumber ?? null,
      symbol: symbols?.[0] ?? null,
      client_order_id: clientOrderId ?? null,
    });
  }

  /** Serves a request with the faults that strike it before, in and after. */
  async function play(asked: Request, transfer: Transfer): Promise<void> {
    const { method, path, subject, arrival } = asked;
    const strike = (kinds: typeof BEFORE) => {
      const fault = state.faults.isAny() ? state.faults.strike(kinds, method, path, subject) : undefined;
      if (fault !== undefined) arrival?.faults.push({ id: fault.id, kind: fault.kind });
      return fault;
    };
    const later = () => serve(asked);
    const before = strike(BEFORE);
    if (before !== undefined) return playBefore(before, transfer, path, later);
    let reply = await later();
    const after = strike(AFTER);
    if (after !== undefined) return playAfter(after, transfer, path, reply);
    const spoils = strike(ANSWER);
    if (spoils !== undefined) reply = spoiledAnswer(reply, spoils, state.view.moment().nowMs);
    answer(transfer, reply);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const headers: Record<string, string> = { "X-Request-ID": randomUUID().replaceAll("-", "") };
    const transfer: Transfer = { request, response, headers, arrival: null };
    try {
      const url = urlOf(request);
      const body = await readBody(request);
      const { pathname: path, searchParams: query } = url;
      if (path.startsWith("/_control")) {
        sendReply(response, await options.control(request, path.slice("/_control".length), query, body), headers);
        return;
      }
      const accountState = accountOfKeys(request);
      const subject = method === "GET" && !state.faults.isAny() ? {} : subjectOfRequest(state, accountState, url, body);
      transfer.arrival = method === "GET" ? null : arrivalOf(method, url, subject);
      const { arrival } = transfer;
      const sent = request.headers;
      const asked: Request = {
        sent,
        method,
        path,
        query,
        subject,
        accountState,
        hasDataKeys: hasDataKeys(request),
        body,
        headers,
        arrival,
      };
      await play(asked, transfer);
    } catch (error) {
      if (error instanceof Refusal) return answer(transfer, refusalReply(error));
      options.complain(
        `${method} ${request.url ?? ""}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      answer(transfer, { status: 500, body: { code: 50010000, message: "internal server error occurred" } });
    }
  }

  const server = createServer((request, response) => {
    // A client that disconnects in the middle is no error.
    request.on("error", () => {});
    response.on("error", () => {});
    void handle(request, response);
  });
  server.keepAliveTimeout = 65_000;
  return { server, freeze: (fault) => readings.freeze(fault) };
}
