/** Who sends a request: the fuzzer signs in once for each of the last two. */
export const PRINCIPALS = ["anonymous", "user", "admin"] as const;
export type Principal = (typeof PRINCIPALS)[number];

/** A JSON object as text, so that it may hold what no object of ours can: a name twice, 1e999, half a surrogate pair. */
export interface FieldsBody {
  kind: "fields";
  fields: [name: string, json: string][];
}

export interface BytesBody {
  kind: "bytes";
  bytes: Buffer;
}

/** One request, made of parts that can be removed one by one while it still fails. */
export interface FuzzRequest {
  family: string;
  principal: Principal;
  method: string;
  /** Percent-encoded. */
  path: string;
  /** Whose ids stand in the path; null: no user's. */
  idsOf: "user" | "other" | null;
  query: string[];
  headers: [name: string, value: string][];
  body: FieldsBody | BytesBody | null;
  /** The HTTP server itself may refuse it, before any handler of ours is asked. */
  mayEndAtServer: boolean;
  /** Written to a socket of its own, as it is. */
  raw: Buffer | null;
}

/** A request with nothing wrong. */
export const plainRequest = (path: string): FuzzRequest => ({
  family: "plain",
  principal: "anonymous",
  method: "GET",
  path: path.replaceAll(/[{}]/g, ""),
  idsOf: null,
  query: [],
  headers: [],
  body: null,
  mayEndAtServer: false,
  raw: null,
});

export function bodyBytes({ body }: FuzzRequest): Buffer | null {
  if (body === null) return null;
  if (body.kind === "bytes") return body.bytes;
  return Buffer.from(`{${body.fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`);
}

export function targetOf({ path, query }: FuzzRequest): string {
  return `${path}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** Everything that was sent, as text: an answer may repeat it. */
export function sentText(request: FuzzRequest): string {
  const head = [targetOf(request), ...request.headers.flat()].join("\n");
  const body = request.raw ?? bodyBytes(request) ?? Buffer.alloc(0);
  return [head, decoded(head), body.toString("utf8"), body.toString("latin1")].join("\n");
}

const decoded = (text: string) => text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) => decodedPart(part));

function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** For people: what was sent, in a few lines. */
export function describeRequest(request: FuzzRequest): string {
  if (request.raw) return `${request.family}: ${JSON.stringify(request.raw.toString("latin1").slice(0, 600))}`;
  const body = bodyBytes(request);
  const shown = body && JSON.stringify(body.toString("latin1").slice(0, 600));
  const headers = request.headers.slice(0, 10).map(([name, value]) => `${name}: ${value.slice(0, 120)}`);
  return [
    `${request.family}, as ${request.principal}: ${request.method} ${targetOf(request).slice(0, 400)}`,
    ...headers,
    ...(body ? [`body of ${body.length} bytes: ${shown}`] : []),
  ].join("\n    ");
}
