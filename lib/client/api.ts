import type { Answer, Endpoint, Sent } from "../contracts/endpoint.ts";
import type { Envelope } from "../contracts/envelope.ts";
import type { FieldIssue } from "../domain/failures.ts";
import { clearToken, readToken, rememberRoute } from "./storage.ts";

// eslint-disable-next-line no-restricted-properties -- replaced by its text when the browser's code is built
const BASE = process.env.NEXT_PUBLIC_API_BASE ?? "/api/v1";

/** A refused or failed call. `status` is 0 when the server could not be reached. */
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

interface CallOptions {
  signal?: AbortSignal;
  /** Replaces the configured base, for the one call that the specification sends to a full path. */
  base?: string;
}

/** Calls whose 401 is an answer to show, not a sign-in that ended. */
const ANSWERS_401 = new Set(["/auth/login", "/auth/register", "/auth/me"]);

/** Calls an endpoint. Resolves with its data or throws CallError; an aborted call throws the abort. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Sent<E>,
  options: CallOptions = {},
): Promise<Answer<E>> {
  const { url, body } = address(endpoint, (input ?? {}) as Record<string, unknown>);
  const token = readToken();
  const request: RequestInit = {
    method: endpoint.method,
    headers: { "Content-Type": "application/json", ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  };

  let response: Response;
  let raw: string;
  try {
    response = await fetch(`${options.base ?? BASE}${url}`, request);
    raw = await response.text();
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new CallError(0, "unreachable", "Tradewind could not be reached. Check your connection and try again.");
  }

  const envelope = read(raw);
  if (response.ok && envelope.success) return envelope.data as Answer<E>;
  if (response.status === 401 && !ANSWERS_401.has(endpoint.path)) leaveForSignIn(token);
  if (envelope.success) throw new CallError(response.status, "internal", "The answer could not be read.");
  throw new CallError(response.status, envelope.code, envelope.error, envelope.issues);
}

/** Fills {parameters} of the path; what is left goes into the query (GET, DELETE) or the JSON body. */
function address(endpoint: Endpoint, input: Record<string, unknown>): { url: string; body?: string } {
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

function read(raw: string): Envelope<unknown> {
  const failed = (error: string): Envelope<unknown> => ({
    success: false,
    data: null,
    error,
    code: "internal",
    requestId: "",
  });
  if (raw === "") return failed("Empty response");
  try {
    const parsed: unknown = JSON.parse(raw);
    if (typeof parsed === "object" && parsed !== null && "success" in parsed) return parsed as Envelope<unknown>;
  } catch {
    // A proxy's HTML error page, say: no envelope either way.
  }
  return failed("The answer could not be read.");
}

/** The sign-in of this request has ended. A newer sign-in, made while the request was under way, is left alone. */
function leaveForSignIn(token: string | null): void {
  if (readToken() !== token) return;
  clearToken();
  if (window.location.pathname === "/auth") return;
  rememberRoute(`${window.location.pathname}${window.location.search}`);
  // eslint-disable-next-line @next/next/no-location-assign-relative-destination -- a full load, which drops what memory holds
  window.location.assign("/auth");
}
