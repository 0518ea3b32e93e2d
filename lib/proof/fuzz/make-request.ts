import { gzipSync } from "node:zlib";
import { draw, spread, type Random } from "../model/random.ts";
import type { Door } from "./doors.ts";
import { HOSTILE_JSON, HOSTILE_NAMES, HOSTILE_PARTS } from "./hostile.ts";
import { rawRequests } from "./raw.ts";
import { bodyBytes, PRINCIPALS, type FuzzRequest } from "./request.ts";
import { isPassedOn, WELL_FORMED } from "./validator.ts";

export interface Making {
  doors: Door[];
  host: string;
  /**
   * Calls that write carry an unknown field, so that nothing of them takes effect. Without it odd but valid
   * calls do what they say: for a disposable stack.
   */
  isHarmless: boolean;
  /** Without a socket there is nothing raw. */
  hasRaw: boolean;
  /** A proxy reads the requests before the stack does: what is asked may be wrong, not how. */
  isProxied?: boolean;
  /** Where there are none of an address, an id that belongs to no user is taken. */
  ids: RealIds;
}

/** By address and parameter ("/trades/{id} id"), an id of the person who calls as "user", and one of another person; null: it belongs to no user. */
export type RealIds = ReadonlyMap<string, { user: string; other: string | null }>;
export const idKey = (address: string, parameter: string) => `${address} ${parameter}`;

type Family = (random: Random, request: FuzzRequest, door: Door, making: Making) => Partial<FuzzRequest>;

const one = <T>(random: Random, items: readonly T[]): T => items[draw(random, items.length)]!;
const chance = (random: Random, percent: number) => draw(random, 100) < percent;
const bytes = (value: string | Buffer) => ({ kind: "bytes" as const, bytes: Buffer.from(value) });

/** A body that is right but for what the family does to it. */
const textOf = (request: FuzzRequest) => (bodyBytes(request) ?? Buffer.from("{}")).toString();

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
/** Node reads them, and no route of ours takes them. */
const ODD_METHODS = ["TRACE", "PROPFIND", "SEARCH", "PURGE", "LINK", "MKCOL", "REPORT", "QUERY"];

const HEADERS: [string, string][] = [
  ["authorization", ""],
  ["authorization", "Bearer"],
  ["authorization", "Bearer "],
  ["authorization", "Bearer null"],
  ["authorization", "Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiIxIn0."],
  ["authorization", `Bearer ${"a".repeat(9_000)}`],
  ["authorization", `Bearer ${"a.".repeat(500)}`],
  ["authorization", "Bearer twp_"],
  ["authorization", `Bearer twp_${"-".repeat(9_000)}`],
  ["authorization", "Basic YWRtaW46YWRtaW4="],
  ["authorization", "bearer\ta.b.c"],
  ["authorization", "Bearer a.b.c, Bearer d.e.f"],
  ["authorization", "Bearer \u00ff\u00fe"],
  ["cookie", Array.from({ length: 300 }, (_, n) => `c${n}=${n}`).join("; ")],
  ["cookie", "next-auth.session-token=a.b.c; next-auth.session-token=d.e.f"],
  ["cookie", "tradewind.device=99999999999.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"],
  ["cookie", "=; ;;=;\u00ff"],
  ["x-forwarded-for", "'; drop table"],
  ["x-forwarded-for", "::1, 1.2.3.4, ::ffff:9.9.9.9"],
  ["x-forwarded-for", "9".repeat(2_000)],
  ["x-forwarded-for", ":::::::::"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-proto", "javascript"],
  ["x-middleware-subrequest", "middleware:middleware:middleware"],
  ["x-http-method-override", "DELETE"],
  ["x-request-id", "a".repeat(3_000)],
  ["rsc", "1"],
  ["next-action", "a".repeat(40)],
  ["next-router-state-tree", "%5B%22"],
  ["accept", "application/xml"],
  ["accept-encoding", "gzip;q=NaN, *;q=-1"],
  ["accept-language", "\u00ff"],
  ["if-none-match", '"'.repeat(500)],
  ["if-none-match", "*"],
  ["if-modified-since", "not a date"],
  ["range", "bytes=0-,5-1,-9999999999999999"],
  ["user-agent", "\u00ff\u0080".repeat(200)],
  ["user-agent", ""],
  ["origin", "null"],
  ["referer", "javascript:alert(1)"],
  ["content-language", "x".repeat(5_000)],
  ["idempotency-key", "\u00a0"],
];

/** Next acts on these itself. */
const SERVERS_HEADERS = new Set(["rsc", "next-action", "next-router-state-tree", "range"]);

/** What a request can have wrong. Each takes a request that is right and answers what it puts in its place. */
const FAMILIES: Record<string, Family> = {
  "nothing wrong": (random, _, door) => {
    const isRead = door.method === "GET" && door.prefix === "/api/v1" && chance(random, 50);
    const inQuery = door.fields.filter(([name]) => !door.parameters.includes(name));
    return isRead
      ? { query: inQuery.map(([name, json]) => `${name}=${encodeURIComponent(String(JSON.parse(json)))}`) }
      : {};
  },
  "a value that is not what the field takes": (random, request, door) => {
    const names = door.fields.filter(([name]) => !door.parameters.includes(name)).map(([name]) => name);
    if (names.length === 0) return unknownField(random, request);
    const wrong = new Set(Array.from({ length: 1 + draw(random, 2) }, () => one(random, names)));
    if (request.body?.kind === "fields")
      return {
        body: {
          kind: "fields",
          fields: request.body.fields.map(([name, json]) => [name, wrong.has(name) ? one(random, HOSTILE_JSON) : json]),
        },
      };
    return { query: [...wrong].map((name) => `${name}=${one(random, HOSTILE_PARTS)}`) };
  },
  "a field that is missing, unknown or there twice": (random, request) => {
    if (request.body?.kind !== "fields" || chance(random, 40)) return unknownField(random, request);
    const { fields } = request.body;
    const at = draw(random, Math.max(1, fields.length));
    const twice = fields[at];
    if (chance(random, 50) || !twice) return { body: { kind: "fields", fields: fields.toSpliced(at, 1) } };
    if (chance(random, 50)) return { query: [`${twice[0]}=${one(random, HOSTILE_PARTS)}`] };
    return { body: { kind: "fields", fields: [...fields, [twice[0], one(random, HOSTILE_JSON)]] } };
  },
  "a body that is too large or too deep": (random, request) => {
    const depth = one(random, [18, 19, 20, 21, 22, 100, 1_000, 5_000, 20_000]);
    const size = one(random, [1_000, 60_000, 65_500, 65_530, 65_536, 65_537, 70_000, 300_000, 2_000_000]);
    return {
      body: bytes(
        one(random, [
          `{"a":${"[".repeat(depth)}${"]".repeat(depth)}}`,
          `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`,
          `{"a":"${"x".repeat(size)}"}`,
          `{${Array.from({ length: Math.min(6_000, size >> 3) }, (_, n) => `"f${n}":${n}`).join(",")}}`,
          `{"a":[${"0,".repeat(Math.min(size, 40_000) >> 1)}0]}`,
          `{"a":${"9".repeat(Math.min(size, 60_000))}}`,
          " ".repeat(size) + textOf(request),
        ]),
      ),
    };
  },
  "a body that is no JSON": (random, request) => {
    const good = textOf(request);
    const cut = good.slice(0, draw(random, good.length + 1));
    return {
      body: bytes(
        one(random, [
          cut,
          `${good}${good}`,
          good.replaceAll('"', "'"),
          good.replace("}", ",}"),
          `/* a */ ${good}`,
          `\ufeff${good}`,
          '{"a":NaN}',
          '{"a":Infinity}',
          '{"a":undefined}',
          '{"a":01}',
          '{"a":1_0}',
          '{"a":"\t"}',
          '{"a":"\\x41"}',
          '{"a":"\\u12"}',
          "{a:1}",
          "null",
          "true",
          "0",
          '"text"',
          "[]",
          `[${good}]`,
          " ",
          "\0",
          "<a/>",
          "a=1&b=2",
          Buffer.from(good, "utf16le"),
          Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), Buffer.from('"}')]),
          Buffer.from([0xed, 0xa0, 0x80]),
          Buffer.from(Array.from({ length: 64 }, () => draw(random, 256))),
        ]),
      ),
    };
  },
  "a body that says to be something else": (random, request) => {
    const types = ["", "text/plain", "text/html", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml",
      "multipart/form-data; boundary=", "application/json; charset=utf-16", "APPLICATION/JSON", " application/json ", "application/json,text/plain",
      "application/jsonx", "application/problem+json", "/", ";", "a".repeat(3_000), "application/octet-stream"]; // oxfmt-ignore
    const headers = request.headers.filter(([name]) => name !== "content-type");
    return { headers: chance(random, 15) ? headers : [...headers, ["content-type", one(random, types)]] };
  },
  "a body that says to be packed": (random, request) => {
    const encoding = one(random, ["gzip", "deflate", "br", "zstd", "identity", "gzip, gzip", "compress", "\u00ff"]);
    const good = Buffer.from(textOf(request));
    const packed = one(random, [
      gzipSync(good),
      good,
      gzipSync(Buffer.alloc(3_000_000)),
      Buffer.from([0x1f, 0x8b, 8, 0]),
    ]);
    return { headers: [...request.headers, ["content-encoding", encoding]], body: bytes(packed) };
  },
  "an id that is none": (random, request, door) => ({
    path:
      door.parameters.length === 0
        ? `${door.prefix}${door.path}/${one(random, HOSTILE_PARTS)}`
        : `${door.prefix}${door.path.replaceAll(/\{\w+\}/g, () => one(random, HOSTILE_PARTS))}`,
    idsOf: null,
    mayEndAtServer: true,
  }),
  "an address that was never given out": (random, _, door) => ({
    path: `${one(random, [door.prefix, door.prefix, "", "//evil.example"])}${one(random, [
      `//${door.path}`,
      `//evil.example${door.path}`,
      `/\\evil.example${door.path}`,
      `/%5cevil.example${door.path}`,
      `${door.path}/`,
      `/.${door.path}`,
      `/..${door.path}`,
      `/%2e%2e${door.path}`,
      door.path.toUpperCase(),
      `${door.path};a=b`,
      `${door.path}.json`,
      `${door.path}.rsc`,
      `${door.path}%00`,
      `${door.path}%2f`,
      `/${one(random, HOSTILE_PARTS)}`,
      `/${Array.from({ length: 60 }, () => "a").join("/")}`,
      `/_next${door.path}`,
      `/.well-known${door.path}`,
    ])}`.replaceAll(/[{}]/g, ""),
    idsOf: null,
    mayEndAtServer: true,
  }),
  "a query of its own kind": (random, _, door) => {
    const name = one(random, [...door.fields.map(([field]) => field), "limit", "cursor", "id"]);
    const value = one(random, HOSTILE_PARTS);
    return {
      query: one(random, [
        [`${name}[]=${value}`],
        [`${name}[0]=${value}`, `${name}[1]=${value}`],
        [`${name}[$ne]=${value}`],
        [`${name}=${value}`, `${name}=${one(random, HOSTILE_PARTS)}`],
        [`__proto__[role]=ADMIN`],
        [`__proto__=${value}`],
        [`constructor[prototype][x]=1`],
        [`constructor=${value}`],
        [`${encodeURIComponent(one(random, HOSTILE_NAMES).toWellFormed())}=${value}`],
        ["=", "=a", "a", "&", "&&="],
        [value],
        [`${name}%00=1`],
        [`${name}=%`],
        Array.from({ length: 400 }, (_each, n) => `a${n}=${n}`),
        [`cursor=${value}`],
        [`limit=${value}`],
        [`startDate=${value}`, `endDate=${one(random, HOSTILE_PARTS)}`],
        [`a=${"x".repeat(7_000)}`],
      ]),
    };
  },
  "an unknown header": (random, request) => {
    const added = Array.from({ length: 1 + draw(random, 3) }, () => one(random, HEADERS));
    const names = new Set(added.map(([name]) => name));
    return {
      headers: [...request.headers.filter(([name]) => !names.has(name)), ...added],
      // An unknown field: whatever the headers make of the call, nothing of it takes effect.
      ...(request.body?.kind === "fields" ? unknownField(random, request) : {}),
      ...(names.has("authorization") ? { principal: "anonymous" } : {}),
      mayEndAtServer:
        [...names].some((name) => SERVERS_HEADERS.has(name)) ||
        added.reduce((sum, [, value]) => sum + value.length, 0) > 12_000,
    };
  },
  "more headers than a server reads": (random, request) => ({
    headers: [
      ...request.headers,
      ...Array.from({ length: one(random, [100, 500, 1_900]) }, (_each, n): [string, string] => [
        `x-${n}`,
        "a".repeat(draw(random, 40)),
      ]),
    ],
    mayEndAtServer: true,
  }),
  "a method that the address does not take": (random, request) => {
    const method = one(random, [...METHODS, ...METHODS, ...ODD_METHODS]);
    const isOdd = ODD_METHODS.includes(method);
    const isBare = method === "GET" || method === "HEAD" || isOdd;
    return { method, mayEndAtServer: isOdd, body: isBare ? null : (unknownField(random, request).body ?? null) };
  },
  "bytes that are hardly HTTP": (random, _, door, { host }) => ({
    raw: one(random, rawRequests(door, host)),
    principal: "anonymous",
    mayEndAtServer: true,
  }),
};

export const FAMILY_NAMES = Object.keys(FAMILIES);

/** A field that no contract names: the call ends with 400 whatever else it holds. */
function unknownField(random: Random, request: FuzzRequest): Partial<FuzzRequest> {
  const name = one(random, HOSTILE_NAMES);
  const value = one(random, HOSTILE_JSON);
  if (request.body?.kind === "fields")
    return { body: { kind: "fields", fields: [...request.body.fields, [name, value]] } };
  return { query: [...request.query, `${encodeURIComponent(name.toWellFormed())}=${one(random, HOSTILE_PARTS)}`] };
}

const WRITES = new Set(["POST", "PUT", "PATCH", "DELETE"]);
/** They would end the fuzzer's own sign-in, or ask a broker outside. */
const NEVER_IN_EARNEST = new Set(["POST /auth/logout", "PUT /auth/change-password", "POST /accounts"]);
const UNKNOWN_ID = "0192f0c1-2b3c-7d4e-8f90-a1b2c3d4e5f6";

/** The request of this number: the same for the same seed, whatever was sent before. */
export function makeRequest(making: Making, seed: number, index: number): FuzzRequest {
  const random: Random = { state: spread(spread(seed) + index) };
  const door = one(random, making.doors);
  const family = one(random, making.isProxied ? WELL_FORMED : FAMILY_NAMES.slice(0, making.hasRaw ? undefined : -1));
  const isWrite = WRITES.has(door.method);
  const inBody = door.fields.filter(([name]) => !door.parameters.includes(name));
  const principal = one(random, PRINCIPALS);
  const idsOf = one(random, ["user", "other", null] as const);
  const found = door.parameters.map((name) => idsOf && making.ids.get(idKey(door.path, name))?.[idsOf]);
  // The people whose ids these are have to stay who they are.
  const endsPeople = isWrite && door.path.startsWith("/admin/users/");
  const hasIds = !endsPeople && found.length > 0 && found.every((id) => id);
  const pathname = door.parameters.reduce(
    (text, name, at) => text.replace(`{${name}}`, (hasIds && found[at]) || UNKNOWN_ID),
    door.path,
  );
  const isForm = door.prefix === "/api/auth";
  const good: FuzzRequest = {
    family,
    principal,
    method: door.method,
    path: `${door.prefix}${pathname}`,
    idsOf: hasIds ? idsOf : null,
    query: [],
    headers: isWrite ? [["content-type", isForm ? "application/x-www-form-urlencoded" : "application/json"]] : [],
    body: isWrite ? (isForm ? formOf(inBody) : { kind: "fields", fields: inBody }) : null,
    mayEndAtServer: false,
    raw: null,
  };
  const made = { ...good, ...FAMILIES[family]!(random, good, door, making) };
  const mustBeHarmless = making.isHarmless || NEVER_IN_EARNEST.has(`${door.method} ${door.path}`);
  const asked = making.isProxied && !isPassedOn(made) ? good : made;
  return mustBeHarmless && WRITES.has(asked.method) ? withPoison(asked) : asked;
}

/** As a page of next-auth would send it. */
function formOf(fields: Door["fields"]): FuzzRequest["body"] {
  const values = fields.map(([name, json]): [string, string] => [name, String(JSON.parse(json))]);
  return bytes(new URLSearchParams(values).toString());
}

/** A field in the query that no contract names. Bodies stay as they are: they are what is tried. */
function withPoison(request: FuzzRequest): FuzzRequest {
  return request.raw ? request : { ...request, query: [...request.query, "unknown-parameter=1"] };
}
