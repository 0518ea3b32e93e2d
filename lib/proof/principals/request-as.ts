import { gunzipSync, inflateRawSync } from "node:zlib";
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

/** Doors that read the address only: whatever body is sent to them is not looked at. */
const ADDRESS_ONLY = new Set(["/notifications/unsubscribe/one-click"]);

let callers = 0;

/** Knocks at a route the way Next does, each time from another network: what is looked at here are not the limits. */
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
  const hasQuery = method === "GET" || method === "HEAD" || ADDRESS_ONLY.has(endpoint.path);
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
  const body = unpacked(bytes);
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

/** A canary inside a compressed export is a leak like any other. */
function unpacked(bytes: Buffer): string {
  if (bytes.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return gunzipSync(bytes).toString("utf8");
  if (bytes.subarray(0, 2).toString("latin1") !== "PK") return bytes.toString("utf8");
  return [...filesOf(bytes)].join("\n");
}

const CENTRAL_ENTRY = Buffer.from("PK\x01\x02", "latin1");

/** The names and contents of a zip archive's files, found through its directory at the end. */
function* filesOf(zip: Buffer): Generator<string> {
  for (let at = zip.indexOf(CENTRAL_ENTRY); at >= 0; at = zip.indexOf(CENTRAL_ENTRY, at + 4)) {
    const isDeflated = zip.readUInt16LE(at + 10) === 8;
    const size = zip.readUInt32LE(at + 20);
    const nameLength = zip.readUInt16LE(at + 28);
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(from, from + size);
    yield zip.toString("utf8", at + 46, at + 46 + nameLength);
    yield (isDeflated ? inflateRawSync(content) : content).toString("utf8");
  }
}
