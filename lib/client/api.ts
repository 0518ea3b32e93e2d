import { API_BASE } from "../contracts/api-base.ts";
import type { Answer, Call, Endpoint, Sent } from "../contracts/endpoint.ts";
import type { Envelope } from "../contracts/envelope.ts";
import type { FieldIssue } from "../domain/failures.ts";
import { clearToken, dropEndedToken, readToken, rememberRoute } from "./storage.ts";

/**
 * A refused or failed call; `message` is the server's sentence, "" when it gave none. `status` is 0 and `code`
 * "unreachable" when the server could not be reached; `code` is "unreadable" when its answer was no envelope.
 */
export class CallError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: FieldIssue[];

  constructor(status: number, code: string, message: string, issues: FieldIssue[] = []) {
    super(message);
    this.name = "CallError";
    this.status = status;
    this.code = code;
    this.issues = issues;
  }
}

/** The server's own sentence; "" where it gave none, and where the text of the failure is the client's. */
export const serverMessage = ({ code, message }: Pick<CallError, "code" | "message">): string =>
  code === "unreachable" || code === "unreadable" ? "" : message;

interface CallOptions {
  signal?: AbortSignal;
  /** Asks no cache on the way. */
  isUncached?: boolean;
  /** Replaces the configured base, for the one call that the specification sends to a full path. */
  base?: string;
}

/** Calls whose 401 is an answer to show, not a sign-in that ended. */
const ANSWERS_401 = new Set([
  "/auth/login",
  "/auth/second-factor",
  "/auth/second-factor/options",
  "/auth/register",
  "/auth/me",
]);

type Where = Pick<Endpoint, "method" | "path">;

/** Stands around every call: it makes the attempt, and may make it again. */
type Guard = <T>(attempt: () => Promise<T>) => Promise<T>;

const unguarded: Guard = (attempt) => attempt();
let guard = unguarded;

/** Puts a guard around every call, until the answer is called. */
export function guardCalls(by: Guard): () => void {
  guard = by;
  return () => {
    if (guard === by) guard = unguarded;
  };
}

/** Calls an endpoint. Resolves with its data or throws CallError; an aborted call throws the abort. */
export function call<E extends Endpoint>(
  endpoint: E | Call<E>,
  input: Sent<E>,
  options: CallOptions = {},
): Promise<Answer<E>> {
  return guard(async () => {
    const { response, content: raw, token } = await send(endpoint, input, options, (answer) => answer.text());
    const envelope = read(raw);
    if (response.ok && envelope.success) return envelope.data as Answer<E>;
    throw refusal(endpoint, response, envelope, token);
  });
}

/** Fetches the file that an endpoint gives. Throws CallError as `call` does. */
export function callForFile<E extends Endpoint>(endpoint: E, input: Sent<E>): Promise<{ name: string; content: Blob }> {
  return guard(async () => {
    const { response, content, token } = await send(endpoint, input, {}, (answer) => answer.blob());
    if (!response.ok) throw refusal(endpoint, response, read(await content.text()), token);
    const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "tradewind";
    return { name, content };
  });
}

async function send<T>(
  endpoint: Where,
  input: unknown,
  options: CallOptions,
  take: (response: Response) => Promise<T>,
): Promise<{ response: Response; content: T; token: string | null }> {
  const { url, body } = address(endpoint, (input ?? {}) as Record<string, unknown>);
  const target = `${options.base ?? API_BASE}${url}`;
  const token = readToken();
  const request: RequestInit = {
    method: endpoint.method,
    headers: {
      "Content-Type": "application/json",
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(options.isUncached === true ? { "Cache-Control": "no-cache", Pragma: "no-cache" } : {}),
    },
    ...(body === undefined ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };
  try {
    const response = await fetch(target, request);
    return { response, content: await take(response), token };
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new CallError(0, "unreachable", "Tradewind could not be reached. Check your connection and try again.");
  }
}

function refusal(endpoint: Where, response: Response, envelope: Envelope<unknown>, token: string | null): CallError {
  if (response.status === 401 && !ANSWERS_401.has(endpoint.path)) leaveForSignIn(token);
  if (envelope.success) return new CallError(response.status, "unreadable", UNREADABLE);
  // What stands before Tradewind answered in its place.
  if (envelope.code === "unreadable" && response.status >= 500) {
    return new CallError(response.status, "unreadable", "Tradewind cannot answer right now. Try again in a moment.");
  }
  return new CallError(response.status, envelope.code, envelope.error, envelope.issues);
}

/** Where a read goes, for the server that answers it with the page's document. */
export function addressOfRead<E extends Endpoint>(endpoint: E | Call<E>, input: Sent<E>): string {
  return `${API_BASE}${address(endpoint, (input ?? {}) as Record<string, unknown>).url}`;
}

/** Fills {parameters} of the path; what is left goes into the query (GET, DELETE) or the JSON body. */
function address(endpoint: Where, input: Record<string, unknown>): { url: string; body?: string } {
  const rest = { ...input };
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  if (endpoint.method !== "GET" && endpoint.method !== "DELETE") return { url: path, body: JSON.stringify(rest) };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, String(value));
  }
  return { url: query.size === 0 ? path : `${path}?${query}` };
}

/** What an answer says, whatever it is made of: an envelope, nothing at all, a proxy's HTML page. */
function read(raw: string): Envelope<unknown> {
  if (raw === "") return failed("internal", "Empty response");
  let parsed: unknown;
  try {
    parsed = JSON.parse(raw);
  } catch {
    // No JSON is no envelope.
  }
  if (typeof parsed !== "object" || parsed === null) return failed("unreadable", UNREADABLE);
  const said: { success?: unknown; data?: unknown; error?: unknown; code?: unknown; issues?: unknown } = parsed;
  if (said.success === true) return { success: true, data: said.data, error: null };
  if (said.success !== false && said.error === undefined) return failed("unreadable", UNREADABLE);
  return {
    ...failed(typeof said.code === "string" ? said.code : "internal", sentenceOf(said.error)),
    issues: Array.isArray(said.issues) ? (said.issues as FieldIssue[]) : [],
  };
}

const UNREADABLE = "The answer could not be read.";

const failed = (code: string, error: string) => ({ success: false, data: null, error, code, requestId: "" }) as const;

/** An error is a sentence or, as the specification allows, an object with a nested one; "" when it is neither. */
function sentenceOf(error: unknown): string {
  const sentence = typeof error === "string" ? error : (error as { message?: unknown } | null | undefined)?.message;
  return typeof sentence === "string" ? sentence : "";
}

/** Calls that a poll makes while the page is leaving would start the same way again and again. */
const LEAVING_MS = 30_000;
let leftAt = 0;

/** A time to come keeps the page, for a call that ends its own sign-in; 0 lets it be left again. */
export function setLeftAt(at: number): void {
  leftAt = at;
}

/**
 * The sign-in of this request has ended. A newer sign-in, made while the request was under way, is left alone. Who keeps the page,
 * asked by the browser about unsaved input, is led away by a later call.
 */
function leaveForSignIn(token: string | null): void {
  const { location } = window;
  if (Date.now() < leftAt + LEAVING_MS || readToken() !== token) return;
  if (location.pathname === "/auth") return clearToken();
  leftAt = Date.now();
  rememberRoute(location.pathname + location.search);
  dropEndedToken();
  // A full load, which drops what memory holds.
  location.assign("/auth");
}
