import type { FuzzRequest } from "./request.ts";

const TRIES_MAX = 200;

/** The same fault with as little as possible: parts are removed, and texts halved, while it still shows. */
export async function shrink(
  request: FuzzRequest,
  stillFails: (smaller: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of smallerOnes(smallest)) {
      if (tries >= TRIES_MAX) return smallest;
      tries += 1;
      if (!(await stillFails(candidate))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerOnes(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, query, body, raw } = request;
  if (raw) {
    for (const half of halves(raw)) yield { ...request, raw: half };
    return;
  }
  if (body) yield { ...request, body: null };
  if (request.principal !== "anonymous") yield { ...request, principal: "anonymous" };
  if (headers.length > 8) for (const half of parts(headers)) yield { ...request, headers: half };
  if (query.length > 8) for (const half of parts(query)) yield { ...request, query: half };
  for (const at of headers.keys()) yield { ...request, headers: headers.toSpliced(at, 1) };
  for (const at of query.keys()) yield { ...request, query: query.toSpliced(at, 1) };
  if (body?.kind === "bytes")
    for (const half of halves(body.bytes)) yield { ...request, body: { kind: "bytes", bytes: half } };
  if (body?.kind === "fields") {
    for (const at of body.fields.keys())
      yield { ...request, body: { kind: "fields", fields: body.fields.toSpliced(at, 1) } };
    for (const [at, [name, json]] of body.fields.entries()) {
      const text = /^"(.{8,})"$/s.exec(json)?.[1];
      if (text === undefined) continue;
      const shorter = `"${text.slice(0, text.length >> 1).replace(/\\[^"]?[0-9a-f]{0,3}$/, "")}"`;
      yield { ...request, body: { kind: "fields", fields: body.fields.with(at, [name, shorter]) } };
    }
  }
}

const parts = <T>(items: T[]): T[][] => [items.slice(0, items.length >> 1), items.slice(items.length >> 1)];

function* halves(bytes: Buffer): Generator<Buffer> {
  if (bytes.length < 2) return;
  yield bytes.subarray(0, bytes.length >> 1);
  yield bytes.subarray(bytes.length >> 1);
}
