import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import type { Arrival, Arrivals } from "../arrivals.ts";
import type { ExchangeState } from "../book/state.ts";
import { Refusal } from "../book/refusal.ts";
import { spoiledAnswer } from "../faults/answers.ts";
import type { Fault } from "../faults.ts";
import type { Subject } from "../faults/match.ts";
import { AFTER, ANSWER, answer, BEFORE, type Transfer, playAfter, playBefore } from "../faults/wire.ts";
import { callerOf, hasDataKeys } from "./callers.ts";
import { createDispatcher, type Dispatcher, type IdentifiedRequest } from "./dispatcher.ts";
import { isOAuthPath } from "./oauth.ts";
import type { RateLimit } from "./rate-limit.ts";
import { readBody, urlOf } from "./read-request.ts";
import type { Reply, Route } from "./router.ts";
import { refusalReply, sendReply } from "./send.ts";
import { subjectOfRequest } from "./subject.ts";

export interface ServerOptions {
  state: ExchangeState;
  routes: readonly Route[];
  controlToken: string | undefined;
  rateLimit: RateLimit;
  arrivals: Arrivals;
  control(request: IncomingMessage, path: string, query: URLSearchParams, body: unknown): Promise<Reply>;
  complain(message: string): void;
}

export interface ExchangeServer {
  server: Server;
  /** Called when a fault begins that depends on how things stand then. */
  freeze(fault: Fault): void;
}

function recordArrival(
  { state, arrivals }: ServerOptions,
  method: string,
  url: URL,
  { accountNumber, symbols, clientOrderId }: Subject,
): Arrival {
  return arrivals.add({
    market: new Date(state.view.moment().nowMs).toISOString(),
    method,
    path: url.pathname,
    account_number: accountNumber ?? null,
    symbol: symbols?.[0] ?? null,
    client_order_id: clientOrderId ?? null,
  });
}

/** Who asks for what; from here on the transfer knows of the arrival of a request that wants to change something. */
function identify(
  options: ServerOptions,
  transfer: Transfer,
  method: string,
  url: URL,
  body: unknown,
): IdentifiedRequest {
  const { state, controlToken } = options;
  const { request, headers } = transfer;
  const caller = callerOf(state, request);
  const accountState = caller?.accountState ?? null;
  const subject = method === "GET" && !state.faults.isAny() ? {} : subjectOfRequest(state, accountState, url, body);
  transfer.arrival = method === "GET" ? null : recordArrival(options, method, url, subject);
  return {
    sent: request.headers,
    method,
    path: url.pathname,
    query: url.searchParams,
    subject,
    accountState,
    scopes: caller?.scopes ?? null,
    hasDataKeys: hasDataKeys(controlToken, request),
    body,
    headers,
    arrival: transfer.arrival,
  };
}

/** Serves a request with the faults that strike it before, in and after. */
async function play(
  state: ExchangeState,
  dispatcher: Dispatcher,
  request: IdentifiedRequest,
  transfer: Transfer,
): Promise<void> {
  const { method, path, subject, arrival } = request;
  const strike = (kinds: typeof BEFORE) => {
    const fault = state.faults.isAny() ? state.faults.strike(kinds, method, path, subject) : undefined;
    if (fault !== undefined) arrival?.faults.push({ id: fault.id, kind: fault.kind });
    return fault;
  };
  const later = () => dispatcher.serve(request);
  const before = strike(BEFORE);
  if (before !== undefined) return playBefore(before, transfer, path, later);
  let reply = await later();
  const after = strike(AFTER);
  if (after !== undefined) return playAfter(after, transfer, path, reply);
  const spoils = strike(ANSWER);
  if (spoils !== undefined) reply = spoiledAnswer(reply, spoils, state.view.moment().nowMs);
  answer(transfer, reply);
}

async function handle(
  options: ServerOptions,
  dispatcher: Dispatcher,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? "GET";
  const headers: Record<string, string> = { "X-Request-ID": randomUUID().replaceAll("-", "") };
  const transfer: Transfer = { request, response, headers, arrival: null };
  try {
    const url = urlOf(request);
    const { pathname: path, searchParams: query } = url;
    const body = await readBody(request, isOAuthPath(path));
    if (path.startsWith("/_control")) {
      sendReply(response, await options.control(request, path.slice("/_control".length), query, body), headers);
      return;
    }
    await play(options.state, dispatcher, identify(options, transfer, method, url, body), transfer);
  } catch (error) {
    if (error instanceof Refusal) return answer(transfer, refusalReply(error));
    options.complain(
      `${method} ${request.url ?? ""}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    answer(transfer, { status: 500, body: { code: 50010000, message: "internal server error occurred" } });
  }
}

/** The HTTP side: who is calling, how often, which scripted fault strikes, and the handler in between. */
export function createExchangeServer(options: ServerOptions): ExchangeServer {
  const dispatcher = createDispatcher(options);
  const server = createServer((request, response) => {
    // A client that disconnects in the middle is no error.
    request.on("error", () => {});
    response.on("error", () => {});
    void handle(options, dispatcher, request, response);
  });
  server.keepAliveTimeout = 65_000;
  return { server, freeze: (fault) => dispatcher.freeze(fault) };
}
