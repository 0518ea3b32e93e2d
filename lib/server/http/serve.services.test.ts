import { createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { moneyOut } from "@/lib/contracts/codecs.ts";
import { endpoint } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import type { Context } from "../context.ts";
import { createDb, db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import { defineMethods, defineNothing, defineRoute } from "./route.ts";
import { serve, type Ports } from "./serve.ts";

const things = {
  make: endpoint({
    method: "POST",
    path: "/things/{id}",
    access: "public",
    limit: "api",
    summary: "For this test.",
    input: z.strictObject({
      id: z.string(),
      name: z.string().min(2, "Enter a name."),
      tags: z.array(z.string()).optional(),
      deep: z.unknown().optional(),
    }),
    output: z.object({ id: z.string(), name: z.string(), price: moneyOut }),
  }),
  read: endpoint({
    method: "GET",
    path: "/things/{id}",
    access: "public",
    limit: "api",
    summary: "For this test.",
    input: z.strictObject({ id: z.string(), q: z.string().optional() }),
    output: z.object({ id: z.string(), price: moneyOut }),
  }),
  steer: endpoint({
    method: "PUT",
    path: "/things/{id}",
    access: "admin",
    limit: "admin",
    summary: "For this test.",
    input: z.strictObject({ id: z.string() }),
    output: z.object({ ok: z.literal(true) }),
  }),
};

let seen: unknown = null;
const make = async (_: unknown, input: { id: string; name: string }) => {
  seen = input;
  return { id: input.id, name: input.name, price: "1234567890123.45", passwordHash: "canary" };
};
const read = async (_: unknown, { id }: { id: string }) => ({ id, price: "0.10" });
const door = defineMethods(
  defineRoute(things.make, make),
  defineRoute(things.read, read),
  defineRoute(things.steer, async () => ({ ok: true as const })),
);

beforeEach(() => {
  seen = null;
  process.env.INSTANCE_ID = "instance-7";
  forgetEnv();
});
afterEach(() => {
  delete process.env.TRUSTED_PROXIES;
  forgetEnv();
});

interface Init {
  body?: BodyInit;
  headers?: Record<string, string>;
  query?: string;
}
const params = (id = "t-1") => ({ params: Promise.resolve({ id }) });
function send(method: keyof typeof door, { body, headers = {}, query = "" }: Init = {}) {
  const withType = body === undefined ? headers : { "content-type": "application/json", ...headers };
  const request = new Request(`http://localhost/api/v1/things/t-1${query}`, {
    method,
    headers: withType,
    ...(body === undefined ? {} : { body }),
  });
  return door[method](request, params());
}
const json = (value: unknown) => ({ body: JSON.stringify(value) });

it("an answer is the envelope with what the contract names and nothing else", async () => {
  const response = await send("POST", json({ name: "Ada" }));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    success: true,
    data: { id: "t-1", name: "Ada", price: 1234567890123.45 },
    error: null,
  });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
    "x-instance": "instance-7",
  });
  expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
});

it("a refusal carries the sentence, the code and the request's id of its header", async () => {
  const response = await send("POST", json({ name: "A" }));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    success: false,
    data: null,
    error: "Enter a name.",
    code: "invalid_input",
    requestId: response.headers.get("x-request-id"),
    issues: [{ path: "name", message: "Enter a name." }],
  });
});

it.each<[string, number, string, Init]>([
  ["broken JSON", 400, "invalid_input", { body: '{"name":' }],
  ["a list as body", 400, "invalid_input", json([1])],
  ["text as body", 400, "invalid_input", json("x")],
  ["null as body", 400, "invalid_input", json(null)],
  ["bytes that are no UTF-8", 400, "invalid_input", { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }],
  ["an unknown field", 400, "invalid_input", json({ name: "Ada", role: "ADMIN" })],
  ["a prototype in the body", 400, "invalid_input", { body: '{"name":"Ada","__proto__":{"role":"ADMIN"}}' }],
  ["a prototype deep in the body", 400, "invalid_input", { body: '{"name":"Ada","deep":{"a":{"__proto__":1}}}' }],
  ["a path parameter again in the body", 400, "invalid_input", json({ name: "Ada", id: "t-2" })],
  ["a path parameter again in the query", 400, "invalid_input", { ...json({ name: "Ada" }), query: "?id=t-2" }],
  ["a query key twice", 400, "invalid_input", { ...json({}), query: "?name=Ada&name=Bob" }],
  ["a NUL character", 400, "invalid_input", json({ name: "A\0da" })],
  ["half a surrogate pair", 400, "invalid_input", { body: '{"name":"A\\ud800da"}' }],
  ["a NUL in a nested name", 400, "invalid_input", { body: '{"name":"Ada","deep":{"a\\u0000":1}}' }],
  [
    "bottomless nesting",
    400,
    "invalid_input",
    { body: `{"name":"Ada","deep":${"[".repeat(5_000)}${"]".repeat(5_000)}}` },
  ],
  [
    "a type that is not JSON",
    415,
    "unsupported_media",
    { body: "name=Ada", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ],
  ["text/plain", 415, "unsupported_media", { body: '{"name":"Ada"}', headers: { "content-type": "text/plain" } }],
  ["more than 64 KB", 413, "payload_too_large", json({ name: "A".repeat(65_536) })],
  [
    "a declared length beyond 64 KB",
    413,
    "payload_too_large",
    { body: '{"name":"Ada"}', headers: { "content-length": "65537" } },
  ],
])("%s answers %i", async (_, status, code, init) => {
  const response = await send("POST", init);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ success: false, data: null, code });
  expect(seen).toBeNull();
  expect(Object.prototype).not.toHaveProperty("role");
});

it("a body without end is cut at 64 KB, whatever it declares", async () => {
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(16 * 1024).fill(0x20));
    },
  });
  const request = new Request("http://localhost/x", {
    method: "POST",
    body,
    headers: { "content-type": "application/json" },
    duplex: "half",
  } as RequestInit);
  expect((await door.POST(request, params())).status).toBe(413);
  expect(pulled).toBeLessThan(10);
});

it("a missing field is named with a sentence", async () => {
  expect(await (await send("POST")).json()).toMatchObject({
    error: '"name" is required.',
    issues: [{ path: "name" }],
  });
});

it("unsupported methods answer 405 with Allow, and HEAD answers like GET without a body", async () => {
  for (const method of ["PATCH", "DELETE", "OPTIONS"] as const) {
    const response = await send(method);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, GET, PUT, HEAD");
    expect(await response.json()).toMatchObject({
      success: false,
      code: "method_not_allowed",
      error: `This address does not answer ${method}.`,
    });
  }
  const head = await send("HEAD");
  expect(head.status).toBe(200);
  expect(await head.text()).toBe("");
  expect(head.headers.get("etag")).toBe((await send("GET")).headers.get("etag"));
});

it("an address where nothing is answers 404 in the envelope, whatever the method", async () => {
  const nothing = defineNothing();
  expect(Object.keys(nothing)).toEqual(expect.arrayContaining(["GET", "POST", "PUT", "PATCH", "DELETE"]));
  for (const handler of Object.values(nothing)) {
    const response = await handler(new Request("http://localhost/api/v1/x"), { params: Promise.resolve({}) });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      success: false,
      code: "not_found",
      error: "There is nothing at this address.",
    });
  }
});

it("a caller who has the answer already gets 304", async () => {
  const tag = (await send("GET")).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[\w-]{27}"$/);
  const again = await send("GET", { headers: { "if-none-match": `"other", W/${tag}` } });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe("");
  expect((await send("GET", { headers: { "if-none-match": '"other"' } })).status).toBe(200);
});

it.each<[string, () => Promise<string> | undefined, number]>([
  ["a caller without a sign-in", () => undefined, 401],
  ["a malformed token", () => Promise.resolve("not.a.token"), 401],
  ["a trader", async () => makeSignIn(db(), await makeUser(db())), 403],
  ["an administrator", async () => makeSignIn(db(), await makeUser(db(), { role: "ADMIN" })), 200],
])("of the administrators' calls, one by %s is answered as due", async (_, tokenOf, status) => {
  const token = await tokenOf();
  const response = await send("PUT", { ...json({}), headers: token ? { authorization: `Bearer ${token}` } : {} });
  expect(response.status).toBe(status);
});

it("who may not call learns nothing about the input", async () => {
  const response = await send("PUT", { body: "{{{", headers: { "content-type": "text/plain" } });
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe("Bearer");
});

it("a service that needs a signed-in user does not compile behind a public endpoint", () => {
  const readOwn = async ({ actor }: Context<"user">) => ({ id: actor.userId, price: "0.10" });
  // @ts-expect-error there may be no user signed in
  expect(defineRoute(things.read, readOwn).endpoint.access).toBe("public");
});

it("a cookie authorises nothing", async () => {
  const token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
  const response = await send("PUT", { ...json({}), headers: { cookie: `next-auth.session-token=${token}` } });
  expect(response.status).toBe(401);
});

it("601 calls in a minute from one address are one too many; another address is served", async () => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  const statuses = new Map<number, number>();
  for (let n = 0; n < 601; n += 1) {
    const { status } = await send("GET", { headers: { "x-forwarded-for": `6.6.6.${n}, 203.0.113.9` } });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect(Object.fromEntries(statuses)).toEqual({ 200: 600, 429: 1 });
  expect((await send("GET", { headers: { "x-forwarded-for": "203.0.113.10" } })).status).toBe(200);
});

const portsWith = (ports: Partial<Ports>) => ({ now: () => new Date(), ...ports }) as Ports;

it("an unavailable database answers 503 with a time to retry, not 500", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  const { port } = silent.address() as AddressInfo;
  silent.close();
  const lost = createDb(`postgres://u:p@127.0.0.1:${port}/none`, 1);
  const service = async (): Promise<{ id: string; price: string }> => {
    await lost.user.count();
    return { id: "x", price: "1" };
  };
  const response = await serve(
    things.read,
    service,
    new Request("http://localhost/x"),
    params(),
    portsWith({ db: lost }),
  );
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(await response.json()).toMatchObject({
    code: "unavailable",
    error: "The service is briefly unavailable. Please try again.",
  });
});

/** What comes of a service that answers or throws so. */
const answerOf = (service: () => Promise<{ id: string; price: string }>) =>
  serve(things.read, service, new Request("http://localhost/x"), params(), portsWith({ db: db() }));

it.each<[string, () => Promise<never>]>([
  ["an error of ours", () => Promise.reject(new Error("canary: secret=abc"))],
  ["a thrown text", () => Promise.reject("canary" as unknown as Error)],
])("%s answers 500 and tells nothing of itself", async (_, service) => {
  const response = await answerOf(service);
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).toContain("Something went wrong on our side. Please try again.");
  expect(text).not.toContain("canary");
});

it("an answer that breaks its contract is our fault and does not leave", async () => {
  const service = async () => ({ id: 7 as unknown as string, price: "canary" });
  const response = await answerOf(service);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("canary");
});

it("a failure's status, sentence and waiting time are what the door answers", async () => {
  const service = () => Promise.reject(new Failure("broker_unavailable", "Later, please.", { retryAfterMs: 1_500 }));
  const response = await serve(
    things.read,
    service,
    new Request("http://localhost/x"),
    params(),
    portsWith({ db: db() }),
  );
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("2");
  expect(await response.json()).toMatchObject({ error: "Later, please.", code: "broker_unavailable" });
});
