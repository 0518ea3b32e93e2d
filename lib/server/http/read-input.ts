import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { Failure, type FieldIssue } from "@/lib/domain/failures.ts";

const BODY_MAX_BYTES = 64 * 1024;
const DEPTH_MAX = 20;
/** A body that takes longer holds a connection for nothing. */
const BODY_MAX_MS = 15_000;

type PathParameters = Record<string, string | string[] | undefined>;

/** Those whose fields stand in the address. */
const ADDRESS_METHODS: readonly string[] = ["GET", "HEAD", "DELETE"];

/**
 * Path parameters and fields as one input. A name that is given twice is refused, whichever way it came. Other calls than reads and
 * DELETE take their fields from the body alone: a form of a foreign page can send an address without a question of the browser, but no
 * JSON, and an address stands in the logs of proxies.
 */
export async function readInput(
  request: Request,
  parameters: PathParameters,
  { mediaType = "application/json", isInAddress = false }: Pick<Endpoint, "mediaType" | "isInAddress"> = {},
  bodyMaxMs = BODY_MAX_MS,
): Promise<object> {
  // Without a prototype: "__proto__" and "constructor" are names like any other here.
  const input = Object.create(null) as Record<string, unknown>;
  const add = (name: string, value: unknown) => {
    if (name in input) throw invalid(name, `"${name}" is given more than once.`);
    input[name] = value;
  };
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) add(name, value);
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!isInAddress && !ADDRESS_METHODS.includes(request.method))
      throw invalid(name, `Send "${name}" in the request body, not in the address.`);
    add(name, value);
  }
  if (!isInAddress && request.method !== "GET" && request.method !== "HEAD") {
    for (const [name, value] of Object.entries(await readBody(request, mediaType, bodyMaxMs))) add(name, value);
  }
  refuseUnusable(input, [], 0);
  return input;
}

async function readBody(request: Request, mediaType: string, bodyMaxMs: number): Promise<object> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > BODY_MAX_BYTES) throw tooLarge();
  const bytes = await readCapped(request, bodyMaxMs);
  if (bytes.length === 0) return {};
  const type = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== mediaType) throw new Failure("unsupported_media", `Send the request body as ${mediaType}.`);
  const body = parsedJson(bytes);
  if (body === null || typeof body !== "object" || Array.isArray(body)) {
    throw new Failure("invalid_input", "The request body must be a JSON object.");
  }
  return body;
}

/** Never holds more than the limit, whatever Content-Length claims, and never waits longer than the time given. */
export async function readCapped(request: Request, bodyMaxMs: number): Promise<Buffer> {
  const reader = request.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    void reader.cancel().catch(() => undefined);
  }, bodyMaxMs);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const chunk = read.value as Uint8Array;
      size += chunk.length;
      if (size > BODY_MAX_BYTES) {
        await reader.cancel();
        throw tooLarge();
      }
      chunks.push(chunk);
    }
  } finally {
    clearTimeout(deadline);
  }
  // Cancelling ends the reading as if the body were whole.
  if (isLate) throw new Failure("timed_out", "The request body took too long to arrive.");
  return Buffer.concat(chunks);
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new Failure("invalid_input", "The request body is not valid JSON.");
  }
}

/** Refuses in every field: text that Postgres cannot store, names that reach into prototypes, unbounded nesting. */
function refuseUnusable(value: unknown, path: string[], depth: number): void {
  if (depth > DEPTH_MAX) throw invalid(path[0] ?? "", "The request body is nested too deeply.");
  if (typeof value === "string" && (value.includes("\0") || !isWellFormed(value))) {
    throw invalid(path.join("."), "Remove the characters that are not text.");
  }
  if (value === null || typeof value !== "object") return;
  for (const [name, item] of Object.entries(value)) {
    if (name === "__proto__" || name.includes("\0"))
      throw invalid(name, `Unknown field: ${name.replaceAll("\0", "")}.`);
    refuseUnusable(item, [...path, name], depth + 1);
  }
}

/** False for half of a surrogate pair, which has no UTF-8. */
const isWellFormed = (text: string) => !/\p{Surrogate}/u.test(text);

function invalid(path: string, message: string): Failure {
  const issues: FieldIssue[] = [{ path, message }];
  return new Failure("invalid_input", message, { issues });
}

const tooLarge = () => new Failure("payload_too_large", "The request body may have 64 KB at most.");
