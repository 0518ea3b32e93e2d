import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "@/lib/contracts/endpoint.ts";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import type { Handler } from "@/lib/server/http/route.ts";
import type { FuzzAnswer } from "@/lib/proof/fuzz/check-answer.ts";
import { doorOf } from "@/lib/proof/fuzz/doors.ts";
import { FAMILY_NAMES } from "@/lib/proof/fuzz/make-request.ts";
import { makePeople, type People } from "@/lib/proof/fuzz/people.ts";
import { bodyBytes, targetOf, type FuzzRequest } from "@/lib/proof/fuzz/request.ts";
import { describeFinding, runFuzz } from "@/lib/proof/fuzz/run.ts";

/** Of 100,000 to a running stack: npm run prove -- fuzz. */
const REQUESTS = 1_500;
const SEED = 20_261_121;
const here = import.meta.dirname;

type Door = Partial<Record<string, Handler & { endpoint?: Endpoint }>>;
/** The route files, by the segments of their address: "{id}" matches any one segment. */
const files: { segments: string[]; door: Door }[] = [];
let catchAll: Door;
let people: People;

beforeAll(async () => {
  process.env.TRUSTED_PROXIES = "1";
  process.env.LOG_LEVEL = "error";
  forgetEnv();
  for (const file of readdirSync(here, { recursive: true, encoding: "utf8" })) {
    if (path.basename(file) !== "route.ts") continue;
    const door = (await import(path.join(here, file))) as Door;
    const segments = path.dirname(file).split(path.sep);
    if (segments[0] === "[[...rest]]") catchAll = door;
    else files.push({ door, segments: segments.map((segment) => segment.replace(/^\[(.+)\]$/, "{$1}")) });
  }
  // Of two folders that fit an address, Next takes the one that names it.
  files.sort((a, b) => parametersIn(a.segments) - parametersIn(b.segments));
  people = await makePeople();
}, 60_000);
afterAll(() => db().rateLimit.deleteMany());

const parametersIn = (segments: string[]) => segments.filter((segment) => segment.startsWith("{")).length;

/** As Next finds a handler: by the decoded segments of the address. */
function doorAt(pathname: string): { door: Door; params: Record<string, string> } {
  const segments = pathname.split("/").slice(1).map(decodeURIComponent);
  for (const { door, segments: own } of files) {
    if (own.length !== segments.length) continue;
    const params: Record<string, string> = {};
    const isIt = own.every((name, at) => {
      const parameter = /^\{(.+)\}$/.exec(name)?.[1];
      if (parameter !== undefined) params[parameter] = segments[at] ?? "";
      return parameter !== undefined || name === segments[at];
    });
    if (isIt) return { door, params };
  }
  return { door: catchAll, params: {} };
}

let sent = 0;
/** Through the exported handlers; every request comes from an address of its own, so that limits let it through. */
async function send(request: FuzzRequest): Promise<FuzzAnswer> {
  const { pathname } = new URL(`http://localhost${targetOf(request)}`);
  const none = { status: 0, headers: {}, text: "", durationMs: 0 };
  let found: ReturnType<typeof doorAt>;
  let asked: Request;
  try {
    found = doorAt(pathname.replace(/^\/api\/v1/, ""));
    const headers = new Headers(request.headers);
    sent += 1;
    headers.set("x-forwarded-for", `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`);
    if (request.principal !== "anonymous") headers.set("authorization", `Bearer ${people.tokens[request.principal]}`);
    const body = bodyBytes(request);
    const { method } = request;
    const init = body === null || method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) };
    asked = new Request(`http://localhost${targetOf(request)}`, { method, headers, ...init });
  } catch {
    // No request can be made of it: scripts/web-edge.mjs refuses such addresses and methods before a handler is asked.
    return request.mayEndAtServer ? none : { ...none, status: 599, text: "no request could be made of it" };
  }
  const handler = found.door[request.method];
  if (!handler) return none;
  const response = await handler(asked, { params: Promise.resolve(found.params) });
  return {
    ...none,
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}

it(`of ${REQUESTS} requests to all routes none is answered with a fault of ours, with a secret, or with another person's data`, async () => {
  const doors = files.flatMap(({ door }) =>
    Object.values(door).flatMap((handler) => (handler?.endpoint ? [doorOf(handler.endpoint)] : [])),
  );
  expect(doors.length).toBeGreaterThan(20);
  const making = { doors, host: "localhost", isHarmless: false, hasRaw: false, ids: people.ids };
  const report = await runFuzz(making, send, {
    seed: SEED,
    requests: REQUESTS,
    lines: 4,
    doors,
    origin: "http://localhost",
    hasMarket: false,
    hasFixedHeaders: false,
    slowMs: Infinity,
    secrets: people.secrets,
    canaries: people.canaries,
  });
  expect(report.findings.map(describeFinding)).toEqual([]);
  expect(report.sent).toBe(REQUESTS);
  expect(Object.keys(report.families).sort()).toEqual(FAMILY_NAMES.slice(0, -1).sort());
  // It reached the services, too, and was not merely told to retry later.
  const share = (status: string) => (report.statuses[status] ?? 0) / REQUESTS;
  expect(share("200")).toBeGreaterThan(0.02);
  expect(share("400")).toBeGreaterThan(0.1);
  expect(share("429")).toBeLessThan(0.05);
  expect(report.shed).toBeLessThan(REQUESTS / 8);
}, 300_000);
