import type { IncomingHttpHeaders } from "node:http";
import type { ExchangeState } from "../book/state.ts";
import type { AccountState } from "../book/types.ts";

/** An answer: a value to be sent as JSON, or text with its own content type. */
export interface Reply {
  status: number;
  body?: unknown;
  contentType?: string;
  headers?: Record<string, string>;
}

export interface Call {
  state: ExchangeState;
  method: string;
  path: string;
  query: URLSearchParams;
  /** Decoded path parameters in order. */
  params: string[];
  body: unknown;
  /** The caller's headers, where a caller stands behind the call. */
  sent?: IncomingHttpHeaders;
}

export interface TradingCall extends Call {
  accountState: AccountState;
}

export type TradingHandler = (call: TradingCall) => Reply;
export type OpenHandler = (call: Call) => Reply;

/**
 * Who may call: the account whose keys are given, any known keys (the product's own data keys too), of market data and of what the
 * trading host shares with them, or anyone.
 */
export type Route =
  | { access: "trading"; method: string; pattern: RegExp; serve: TradingHandler }
  | { access: "shared" | "data" | "open"; method: string; pattern: RegExp; serve: OpenHandler };

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "([^/]+)");
  return new RegExp(`^${escaped}$`);
}

export function trading(method: string, path: string, serve: TradingHandler): Route {
  return { access: "trading", method, pattern: patternOf(path), serve };
}

export function data(path: string, serve: OpenHandler): Route {
  return { access: "data", method: "GET", pattern: patternOf(path), serve };
}

/** Of the trading host: an account's call counts as one of its trading calls. */
export function shared(path: string, serve: OpenHandler): Route {
  return { access: "shared", method: "GET", pattern: patternOf(path), serve };
}

export function open(path: string, serve: OpenHandler, method = "GET"): Route {
  return { access: "open", method, pattern: patternOf(path), serve };
}

export function ok(body: unknown): Reply {
  return { status: 200, body };
}
