// What the API answers to a screen under test. An answer is typed by its contract: one that no longer fits does not compile.
import type { Answer, Call, Endpoint, Sent } from "../../contracts/endpoint.ts";
import type { Envelope } from "../../contracts/envelope.ts";
import type { FieldIssue } from "../../domain/failures.ts";

const BASE = "/api/v1";

/** What comes in place of data. `status` 0: nothing. */
class Refusal {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    this.status = status;
    this.body = body;
  }
}

/** A refusal in the server's envelope; with an empty sentence, the screen has to say its own. */
export const refusal = (status: number, error = "", code = "x", issues: FieldIssue[] = []) => {
  const envelope: Envelope<null> = { success: false, data: null, error, code, requestId: "test", issues };
  return bare(status, envelope);
};
/** What the server does not answer like this, but what stands before it may, or an older or newer one. */
export const bare = (status: number, body: string | object) =>
  new Refusal(status, typeof body === "string" ? body : JSON.stringify(body));
export const unreachable = () => bare(0, "");

/** Failures in which the server says nothing of its own, by name: a specified sentence stands for it. */
export const SILENT = {
  "no answer": unreachable(),
  "no envelope": bare(409, {}),
  "a page in place of an answer": bare(502, "<html><body>Bad gateway</body></html>"),
  "a success without an envelope": bare(200, "fine"),
  "an empty sentence": refusal(409),
  "no sentence": bare(500, { success: false, data: null }),
} as const;

type Reply<E extends Endpoint> = Answer<E> | Refusal;
/** The reply, or what makes it of the call's input; text is what numbers of a query are by then. */
type Stub<E extends Endpoint> = Reply<E> | ((sent: Sent<E>) => Reply<E> | Promise<Reply<E>>);

interface Stand {
  method: string;
  template: string;
  address: RegExp;
  by: unknown;
  sent: unknown[];
  headers: Headers[];
}

const stands: Stand[] = [];
const unanswered: string[] = [];

const names = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");

/** Answers an endpoint from now on, in place of what answered it before. Gives the inputs that arrive. */
export function answer<E extends Endpoint>(endpoint: E | Call<E>, by: Stub<E>): Sent<E>[] {
  const { method, path: template } = endpoint;
  const sent: unknown[] = [];
  const address = new RegExp(`^${BASE}${template.replaceAll(/\{\w+\}/g, "([^/]+)")}$`);
  stands.unshift({ method, template, address, by, sent, headers: [] });
  // An address without parameters is meant before one with them.
  stands.sort((a, b) => names(a.template).length - names(b.template).length);
  return sent as Sent<E>[];
}

/** The headers of the first call that the latest answer of an endpoint got. */
export function headersTo({ method, path }: Pick<Endpoint, "method" | "path">): Record<string, string> {
  const stand = stands.find((each) => each.method === method && each.template === path);
  return Object.fromEntries(stand?.headers[0] ?? []);
}

function inputOf(stand: Stand, url: URL, body: unknown): object {
  const values = stand.address.exec(url.pathname)?.slice(1).map(decodeURIComponent) ?? [];
  const parameters = names(stand.template).map((name, nth) => [name, values[nth]] as const);
  const rest = typeof body === "string" ? (JSON.parse(body) as object) : Object.fromEntries(url.searchParams);
  return { ...Object.fromEntries(parameters), ...rest };
}

/** In place of the browser's own: the calls of the product end here. */
export async function stubbedFetch(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(String(target), window.location.origin);
  const method = init.method ?? "GET";
  const stand = stands.find((each) => each.method === method && each.address.test(url.pathname));
  if (stand === undefined) {
    unanswered.push(`${method} ${url.pathname}`);
    throw new TypeError(`The test answers no ${method} ${url.pathname}.`);
  }
  const input = inputOf(stand, url, init.body);
  stand.sent.push(input);
  stand.headers.push(new Headers(init.headers));
  const reply: unknown = await (typeof stand.by === "function"
    ? (stand.by as (input: object) => unknown)(input)
    : stand.by);
  init.signal?.throwIfAborted();
  const served: Envelope<unknown> = { success: true, data: reply, error: null };
  const { status, body } = reply instanceof Refusal ? reply : bare(200, served);
  if (status === 0) throw new TypeError("Failed to fetch");
  return new Response(body, { status, headers: { "Content-Type": "application/json" } });
}

/** Forgets all answers; tells the calls that had none. */
export function endAnswers(): string[] {
  stands.length = 0;
  return unanswered.splice(0);
}
