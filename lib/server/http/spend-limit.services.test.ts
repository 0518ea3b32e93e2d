import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { endpoint } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import { markedBy } from "../secrets/device-mark.ts";
import { deviceMarkHeader } from "./device-mark.ts";
import { defineMethods, defineRoute } from "./route.ts";
import { spendForDocument } from "./spend-limit.ts";

beforeAll(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});
afterAll(() => db().rateLimit.deleteMany());

const thing = (limit: "auth" | "api" | "export" | "none") =>
  endpoint({
    method: "GET",
    path: "/things",
    access: "public",
    limit,
    summary: "For this test.",
    input: z.strictObject({ end: z.enum(["well", "badly", "broken"]) }),
    output: z.object({ end: z.string() }),
  });
const service = async (_: unknown, { end }: { end: "well" | "badly" | "broken" }) => {
  if (end === "badly") throw new Failure("not_found", "There is no such thing.");
  if (end === "broken") throw new Failure("unavailable", "Later, please.");
  return { end };
};
const doors = {
  api: defineMethods(defineRoute(thing("api"), service)),
  export: defineMethods(defineRoute(thing("export"), service)),
  auth: defineMethods(defineRoute(thing("auth"), service)),
  none: defineMethods(defineRoute(thing("none"), service)),
};

let address = 0;
beforeEach(() => {
  address += 1;
});

async function send(
  group: keyof typeof doors,
  end: string,
  method: "GET" | "PATCH" = "GET",
  headers: Record<string, string> = {},
) {
  const request = new Request(`http://localhost/api/v1/things?end=${end}`, {
    method,
    headers: { "x-forwarded-for": `198.51.100.${address}`, ...headers },
  });
  return doors[group][method](request, { params: Promise.resolve({}) });
}
const statuses = async (count: number, call: () => Promise<Response>) => {
  const seen = [];
  for (let n = 0; n < count; n += 1) seen.push((await call()).status);
  return seen;
};

const row = (fields: object, name = "export") =>
  db().rateLimit.upsert({ where: { name }, create: { name, ...fields }, update: fields });
/** A row counts within five seconds of its change; each try comes from an address of its own. */
async function inForce(call: () => Promise<Response>, expected: number[]) {
  const tryAnew = async () => {
    address += 1;
    return statuses(expected.length, call);
  };
  await expect.poll(tryAnew, { timeout: 5_000, interval: 100 }).toEqual(expected);
  // The first call of the last try may have been counted under the earlier row.
  address += 1;
}

it("a refused call says when to retry, in the header and in words", async () => {
  await row({ maxRequests: 2, windowMs: 120_000 });
  await inForce(() => send("export", "well"), [200, 200, 429]);
  expect(await statuses(2, () => send("export", "well"))).toEqual([200, 200]);
  const refused = await send("export", "well");
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(60);
  expect(wait).toBeLessThanOrEqual(120);
  expect(await refused.json()).toMatchObject({
    code: "too_many_requests",
    error: "Too many requests. Please try again in 2 minutes.",
  });
});

it("a row that leaves out failed calls counts only those that went well, whatever it was that failed", async () => {
  await row({ maxRequests: 2, skipSuccessfulRequests: false, skipFailedRequests: true });
  await inForce(() => send("export", "badly"), [404, 404, 404, 404]);
  expect(await statuses(3, () => send("export", "broken"))).toEqual([503, 503, 503]);
  expect(await statuses(3, () => send("export", "no such end"))).toEqual([400, 400, 400]);
  expect(await statuses(3, () => send("export", "well", "PATCH"))).toEqual([405, 405, 405]);
  expect(await statuses(3, () => send("export", "well"))).toEqual([200, 200, 429]);
});

it("a row that leaves out calls that went well counts those that failed by the caller's doing", async () => {
  await row({ maxRequests: 2, skipSuccessfulRequests: true, skipFailedRequests: false });
  await inForce(() => send("export", "well"), [200, 200, 200, 200]);
  expect(await statuses(3, () => send("export", "broken"))).toEqual([503, 503, 503]);
  expect(await statuses(3, () => send("export", "badly"))).toEqual([404, 404, 429]);
});

it("the reads of a document take one call together; one beyond the limit is refused before any is made", async () => {
  // The strictest that there is of this limit.
  const most = 60;
  await row({ maxRequests: most, windowMs: 60_000 }, "api");
  await inForce(() => send("api", "well"), [...Array<number>(most).fill(200), 429]);
  const caller = () => `198.51.100.${address}`;
  const requests = Array.from(
    { length: 5 },
    () => new Request("http://localhost/api/v1/things?end=well", { headers: { "x-forwarded-for": caller() } }),
  );
  await spendForDocument(caller(), requests);
  for (const request of requests)
    expect((await doors.api.GET(request, { params: Promise.resolve({}) })).status).toBe(200);
  expect(await statuses(most, () => send("api", "well"))).toEqual([...Array<number>(most - 1).fill(200), 429]);
  await expect(spendForDocument(caller(), [])).rejects.toMatchObject({ code: "too_many_requests" });
});

it("a call that must never be refused is counted by no limit", async () => {
  await row({ maxRequests: 2, skipSuccessfulRequests: false, skipFailedRequests: false });
  await inForce(() => send("export", "well"), [200, 200, 429]);
  expect(await statuses(700, () => send("none", "well"))).toEqual(Array<number>(700).fill(200));
});

/** The cookie of a new device at each call. */
const markFor = (email: string) => deviceMarkHeader(markedBy({ email, passwordHash: "a hash" })).split(";")[0] ?? "";

it("however many marks one account collects, they open one budget beside that of the address; once it is used up another address still lets its devices in", async () => {
  const withNewMark = () => send("auth", "well", "GET", { cookie: markFor("many-marks@example.com") });
  const seen = await statuses(602, withNewMark);
  expect(seen).toEqual([...Array<number>(600).fill(200), 429, 429]);
  expect((await send("auth", "well", "GET", { cookie: markFor("another@example.com") })).status).toBe(200);
  address += 1;
  expect((await withNewMark()).status).toBe(200);
});

it("a device with an earlier sign-in spends calls of its own, whatever its address has used up; a mark of another's making does not", async () => {
  const device = markFor("ada@example.com");
  for (let n = 0; n < 300; n += 1) expect((await send("auth", "well")).status).toBe(200);
  expect((await send("auth", "well")).status).toBe(429);
  expect((await send("auth", "well", "GET", { cookie: device })).status).toBe(200);
  expect((await send("auth", "well", "GET", { cookie: `${device.slice(0, -1)}_` })).status).toBe(429);
});
