import { unpack } from "../unpack.ts";
import type { Sample } from "./sample.ts";
import { parametersOf, type Served } from "./routes.ts";

export interface Answer {
  status: number;
  code: string | null;
  /** Everything that left the server: headers and body, files unpacked. */
  text: string;
  isEmpty: boolean;
  issues: { path: string; message: string }[];
  isEnvelope: boolean;
}

let callers = 0;

/** Calls a route the way Next does, each time from another network: what is looked at here are not the limits. */
export async function requestAs(
  { handler, endpoint, method }: Pick<Served, "handler" | "endpoint" | "method">,
  token: string | undefined,
  input: Sample,
): Promise<Answer> {
  callers += 1;
  const headers = new Headers({ "x-forwarded-for": `10.${(callers >> 8) & 255}.${callers & 255}.1` });
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  const names = parametersOf(endpoint);
  const params = Object.fromEntries(names.map((name) => [name, String(input[name])]));
  const rest = Object.entries(input).filter(([name]) => !names.includes(name));
  const hasQuery = method === "GET" || method === "HEAD" || endpoint.isInAddress === true;
  const query = hasQuery
    ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)])).toString()}`
    : "";
  const init: RequestInit = { method, headers };
  if (!hasQuery && rest.length > 0) {
    headers.set("content-type", endpoint.mediaType ?? "application/json");
    init.body = JSON.stringify(Object.fromEntries(rest));
  }
  const request = new Request(`http://localhost/api/v1${endpoint.path}${query}`, init);
  return readAnswer(await handler(request, { params: Promise.resolve(params) }));
}

async function readAnswer(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const body = unpack(bytes);
  const carried = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const json = (response.headers.get("content-type") ?? "").startsWith("application/json") ? parsed(body) : null;
  const envelope = json as { success?: boolean; code?: string; issues?: Answer["issues"] } | null;
  return {
    status: response.status,
    code: envelope?.code ?? null,
    text: `${carried}\n${body}`,
    isEmpty: body === "",
    issues: envelope?.issues ?? [],
    isEnvelope: typeof envelope?.success === "boolean" && envelope.success === response.status < 400,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
