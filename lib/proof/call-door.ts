import type { Handler, Route } from "@/lib/server/http/route.ts";
import { deviations } from "./described.ts";

/** The handlers that a route file exports. */
export type Door = Partial<Record<string, Handler>>;

export interface Call {
  token?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  rawBody?: string | Uint8Array;
  headers?: Record<string, string>;
  query?: string;
  params?: Record<string, string>;
}

export interface CallResult {
  status: number;
  headers: Headers;
  text: string;
  // The envelope, to be looked into by a test.
  json: {
    success: boolean;
    data: never;
    error: string | null;
    code?: string;
    requestId?: string;
    issues?: { path: string; message: string }[];
  } | null;
}

/** Every answer that a test gets is held against the API's document. */
function expectDescribed(handler: Handler | Route, { status, json }: Pick<CallResult, "status" | "json">): void {
  if (status !== 200 || json?.success !== true || !("endpoint" in handler)) return;
  const { endpoint } = handler;
  const found = deviations(endpoint, json.data);
  if (found.length > 0)
    throw new Error(`${endpoint.method} ${endpoint.path} is described otherwise: ${found.join("; ")}`);
}

/** Calls a route file's handler the way Next does. */
export async function callDoor(door: Door, method: string, call: Call = {}): Promise<CallResult> {
  const handler = door[method];
  if (!handler) throw new Error(`the route file exports no ${method}`);
  const headers = new Headers(call.headers);
  if (call.token !== undefined) headers.set("authorization", `Bearer ${call.token}`);
  let body = call.rawBody;
  if (call.body !== undefined) {
    headers.set("content-type", "application/json");
    body = JSON.stringify(call.body);
  }
  const init = body === undefined ? {} : { body: body as BodyInit };
  const request = new Request(`http://localhost/api/v1/door${call.query ? `?${call.query}` : ""}`, {
    method,
    headers,
    ...init,
  });
  const response = await handler(request, { params: Promise.resolve(call.params) });
  const text = await response.text();
  const json = text === "" ? null : (JSON.parse(text) as CallResult["json"]);
  expectDescribed(handler, { status: response.status, json });
  return { status: response.status, headers: response.headers, text, json };
}
