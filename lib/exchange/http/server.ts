import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { randomUUID } from "node:crypto";
import type { Desk } from "../book/desk.ts";
import { Refusal } from "../book/refusal.ts";
import type { Holder } from "../book/types.ts";
import type { Fault } from "../faults.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Reply, Route } from "./router.ts";

const BODY_MAX = 1_000_000;
export const DATA_KEY_ID = "TPDATA";

export interface ServerOptions {
  desk: Desk;
  routes: readonly Route[];
  controlToken: string | undefined;
  rateLimit: RateLimit;
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
    return new URL(request.url ?? "/", "http://exchange");
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

function send(response: ServerResponse, reply: Reply, headers: Record<string, string>): void {
  if (response.destroyed || response.headersSent) return;
  const isText = reply.contentType !== undefined;
  const body = reply.body === undefined ? undefined : isText ? String(reply.body) : JSON.stringify(reply.body);
  const type: Record<string, string> =
    body === undefined ? {} : { "content-type": reply.contentType ?? "application/json; charset=utf-8" };
  response.writeHead(reply.status, { ...type, ...headers, ...reply.headers });
  response.end(body);
}

function refusalReply(error: Refusal): Reply {
  // The data side refuses without a code.
  const code = error.code === 0 ? {} : { code: error.code };
  return { status: error.status, body: { ...code, message: error.message, ...error.extras } };
}

const UNAUTHORIZED: Reply = { status: 401, body: { message: "unauthorized." } };
const HTML: Reply = {
  status: 200,
  body: "<html><head><title>Welcome</title></head><body>ok</body></html>",
  contentType: "text/html",
};

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The HTTP side: who is calling, how often, which scripted fault strikes, and the handler in between. */
export function createExchangeServer(options: ServerOptions): Server {
  const { desk, routes } = options;

  function holderOfKeys(request: IncomingMessage): Holder | null {
    const keyId = request.headers["apca-api-key-id"];
    const holder = typeof keyId === "string" ? desk.byKeyId.get(keyId) : undefined;
    return holder !== undefined && holder.account.secret === request.headers["apca-api-secret-key"] ? holder : null;
  }

  function hasDataKeys(request: IncomingMessage): boolean {
    const isData = request.headers["apca-api-key-id"] === DATA_KEY_ID && options.controlToken !== undefined;
    return isData && request.headers["apca-api-secret-key"] === options.controlToken;
  }

  /** Serves one request against the book; rows are committed before it returns. */
  async function serve(
    request: IncomingMessage,
    url: URL,
    method: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Reply> {
    let isPathKnown = false;
    for (const route of routes) {
      const match = route.pattern.exec(url.pathname);
      if (match === null) continue;
      isPathKnown = true;
      if (route.method !== method) continue;
      const params = match.slice(1).map(decoded);
      const call = { desk, method, path: url.pathname, query: url.searchParams, params, body };
      const holder = holderOfKeys(request);
      if (route.access !== "open") {
        if (holder === null && !(route.access === "data" && hasDataKeys(request))) return UNAUTHORIZED;
        const isFree = options.rateLimit.take(holder?.account.id ?? DATA_KEY_ID, route.access, headers);
        if (!isFree && route.access === "trading")
          return { status: 429, body: { code: 42910000, message: "rate limit exceeded" } };
        if (!isFree) return { status: 429, body: { message: "too many requests." } };
      }
      try {
        return route.access === "trading" ? route.serve({ ...call, holder: holder as Holder }) : route.serve(call);
      } catch (error) {
        if (error instanceof Refusal) return refusalReply(error);
        throw error;
      } finally {
        if (method !== "GET") await desk.journal.commit();
      }
    }
    if (!isPathKnown) return { status: 404, body: { message: "endpoint not found." } };
    return { status: 405, body: { message: "method not allowed." } };
  }

  /** Plays a fault that strikes before the request is served. */
  async function playEarly(
    fault: Fault,
    request: IncomingMessage,
    response: ServerResponse,
    headers: Record<string, string>,
    later: () => Promise<Reply>,
  ): Promise<void> {
    if (fault.kind === "drop_before_accept") request.socket.destroy();
    if (fault.kind === "status") {
      const body = { message: `scripted ${fault.status ?? 500}` };
      send(response, { status: fault.status ?? 500, body, ...(fault.headers && { headers: fault.headers }) }, headers);
    }
    if (fault.kind === "hang") {
      await pause(fault.ms ?? 30_000);
      request.socket.destroy();
    }
    if (fault.kind === "late_accept") {
      request.socket.destroy();
      await pause(fault.ms ?? 1_000);
      await later();
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const headers: Record<string, string> = { "X-Request-ID": randomUUID().replaceAll("-", "") };
    try {
      const url = urlOf(request);
      const body = await readBody(request);
      if (url.pathname.startsWith("/_control")) {
        send(
          response,
          await options.control(request, url.pathname.slice("/_control".length), url.searchParams, body),
          headers,
        );
        return;
      }
      const later = () => serve(request, url, method, body, headers);
      const early = desk.faults.strike(["drop_before_accept", "status", "hang", "late_accept"], method, url.pathname);
      if (early !== undefined) return await playEarly(early, request, response, headers, later);
      const reply = await later();
      const late = desk.faults.strike(
        ["drop_after_accept", "status_after_accept", "garbage_200"],
        method,
        url.pathname,
      );
      if (late === undefined) send(response, withLookupLag(reply, method, url), headers);
      else if (late.kind === "drop_after_accept") request.socket.destroy();
      else if (late.kind === "garbage_200") send(response, HTML, headers);
      else send(response, { status: late.status ?? 504, body: { message: `scripted ${late.status ?? 504}` } }, headers);
    } catch (error) {
      if (error instanceof Refusal) return send(response, refusalReply(error), headers);
      options.complain(
        `${method} ${request.url ?? ""}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      send(response, { status: 500, body: { code: 50010000, message: "internal server error occurred" } }, headers);
    }
  }

  /** While the fault stands, a young order cannot be found by its client id. */
  function withLookupLag(reply: Reply, method: string, url: URL): Reply {
    if (method !== "GET" || url.pathname !== "/v2/orders:by_client_order_id" || reply.status !== 200) return reply;
    const id = (reply.body as { id: string }).id;
    const lag = desk.faults.list().find((fault) => fault.kind === "lookup_lag" && fault.left > 0);
    const acceptedAt = acceptedWallMs.get(id);
    if (lag === undefined || acceptedAt === undefined || performance.now() - acceptedAt >= (lag.ms ?? 1_000))
      return reply;
    desk.faults.strike(["lookup_lag"], method, url.pathname);
    return refusalReply(
      new Refusal(404, 40410000, `order not found for ${url.searchParams.get("client_order_id") ?? ""}`),
    );
  }

  const acceptedWallMs = new Map<string, number>();
  const server = createServer((request, response) => {
    // A client that goes away in the middle is no business of ours.
    request.on("error", () => {});
    response.on("error", () => {});
    void handle(request, response);
  });
  server.keepAliveTimeout = 65_000;
  desk.onAccepted = (order) => {
    if (desk.faults.list().some((fault) => fault.kind === "lookup_lag"))
      acceptedWallMs.set(order.id, performance.now());
  };
  return server;
}
