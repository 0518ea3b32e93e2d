import { beforeAll, beforeEach, expect, it } from "vitest";
import { db } from "@/lib/server/db.ts";
import { forgetEnv } from "@/lib/server/env.ts";
import { ensureRateLimits } from "@/lib/server/services/rate-limits/ensure-rate-limits.ts";
import { FACTORY_PASSWORD, makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as loginDoor from "../../auth/login/route.ts";
import * as flagsDoor from "../../flags/route.ts";
import * as oneDoor from "./[id]/route.ts";
import * as door from "./route.ts";

interface Config {
  id: string;
  name: string;
  windowMs: number;
  maxRequests: number;
  enabled: boolean;
  boundTo: string | null;
}
const UNKNOWN_ID = "0198c0de-0000-7000-8000-000000000001";
let token: string;

beforeAll(() => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
});
beforeEach(async () => {
  await db().rateLimit.deleteMany();
  await ensureRateLimits({ db: db() });
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});

const list = async () =>
  ((await callDoor(door, "GET", { token })).json?.data as unknown as { configs: Config[] }).configs;
const save = (body: object) => callDoor(door, "POST", { token, body });
const remove = (id: string) => callDoor(oneDoor, "DELETE", { token, params: { id } });
const from = (address: number) => ({ "x-forwarded-for": `198.51.100.${address}` });
/** One call more than the strictest limit lets through in a minute. */
const burst = <T>(ask: () => Promise<T>) => Promise.all(Array.from({ length: 61 }, ask));
const audits = (eventType: string) => db().auditEvent.count({ where: { eventType } });

it("a limit blocks within seconds of being set, a lifted one does not, and a deleted one falls back to the built-in values", async () => {
  const user = await makeSignIn(db(), await makeUser(db()));
  const ask = () => callDoor(flagsDoor, "GET", { token: user, headers: from(1) });
  const call = async () => (await ask()).status;
  expect(await call()).toBe(200);
  const ofApi = (await list()).find(({ name }) => name === "api")!;
  const stored = await save({ id: ofApi.id, windowMs: 60_000, maxRequests: 60 });
  expect(stored).toMatchObject({ status: 200, json: { data: { maxRequests: 60, boundTo: "api", enabled: true } } });
  await expect.poll(async () => (await burst(ask)).at(-1)?.status, { timeout: 20_000 }).toBe(429);
  const { id } = ofApi;
  expect((await save({ id, enabled: false })).status).toBe(200);
  await expect.poll(call, { timeout: 6_000 }).toBe(200);
  expect((await remove(id)).status).toBe(200);
  expect((await remove(id)).status).toBe(404);
  expect((await list()).some(({ name }) => name === "api")).toBe(false);
  expect(await call()).toBe(200);
});

it.each([
  ["admin", door, 2],
  ["api", flagsDoor, 3],
] as const)("the strictest limit of %s that can be set leaves the console within reach", async (name, to, address) => {
  const { id } = (await list()).find((limit) => limit.name === name)!;
  const strictest = { windowMs: 86_400_000, maxRequests: 1 };
  expect((await save({ id, ...strictest })).json?.data).toMatchObject({
    ...strictest,
    inForce: { windowMs: 60_000, maxRequests: 60 },
  });
  // Once the row counts, its calls are refused for a minute at most.
  const ask = () => callDoor(to, "GET", { token, headers: from(address) });
  const refused = async () => (await burst(ask)).find(({ status }) => status === 429);
  await expect.poll(refused, { timeout: 20_000 }).toBeDefined();
  const wait = Number((await refused())?.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
});

it("an administrator whose sign-in is not confirmed cannot make the limits of failed guesses so strict that every sign-in is refused", async () => {
  await db().signIn.updateMany({ data: { confirmedAt: new Date(0) } });
  for (const name of ["auth-failed", "attempts-failed", "account-failed", "owner-failed", "factor-failed"]) {
    const { id } = (await list()).find((limit) => limit.name === name)!;
    const set = await save({ id, windowMs: 86_400_000, maxRequests: 1, skipSuccessfulRequests: false });
    expect(set).toMatchObject({ status: 200, json: { data: { skipSuccessfulRequests: true } } });
    const { inForce } = set.json!.data as unknown as { inForce: { maxRequests: number } };
    expect(inForce.maxRequests).toBeGreaterThanOrEqual(5);
  }
  // Once the rows count, the sixth wrong guess of a quarter of an hour is refused (the eleventh is without them).
  let address = 20;
  const sixth = async () => {
    address += 1;
    const { email } = await makeUser(db());
    const wrong = { email, password: "Wrong-Horse-1" };
    const guesses = [];
    for (let n = 0; n < 6; n += 1)
      guesses.push(await callDoor(loginDoor, "POST", { body: wrong, headers: from(address) }));
    return guesses.at(-1)?.status;
  };
  await expect.poll(sixth, { timeout: 20_000 }).toBe(429);
  const { email } = await makeUser(db());
  const right = { body: { email, password: FACTORY_PASSWORD }, headers: from(19) };
  for (let n = 0; n < 3; n += 1) expect((await callDoor(loginDoor, "POST", right)).status).toBe(200);
});

it("a new configuration has 15 minutes and 100 requests unless it says otherwise; one that is bound to nothing says so", async () => {
  const created = await audits("RATE_LIMIT_CREATED");
  expect((await save({ name: "partners" })).json?.data).toMatchObject({
    windowMs: 900_000,
    maxRequests: 100,
    skipSuccessfulRequests: false,
    skipFailedRequests: false,
    enabled: true,
    boundTo: null,
    inForce: null,
  });
  expect(await audits("RATE_LIMIT_CREATED")).toBe(created + 1);
});

it("a name that a limit has already is refused, and that limit stays as it is", async () => {
  const [before, created] = [await list(), await audits("RATE_LIMIT_CREATED")];
  const message = "A limit named api exists already.";
  expect(await save({ name: " api " })).toMatchObject({
    status: 409,
    json: { error: message, issues: [{ path: "name", message }] },
  });
  expect(await list()).toEqual(before);
  expect(await audits("RATE_LIMIT_CREATED")).toBe(created);
  // Two who create the same name at once: one of them has made it.
  const answers = await Promise.all([save({ name: "partners" }), save({ name: "partners" })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

it("a change names its limit by the id, keeps what it does not name, and is audited once it changes something", async () => {
  const limit = (await list()).find(({ name }) => name === "admin")!;
  const counts = async () => [await audits("RATE_LIMIT_CHANGED"), await audits("RATE_LIMIT_SWITCHED")];
  const [changed, switched] = (await counts()) as [number, number];
  expect((await save({ id: limit.id, maxRequests: 700, description: "Raised" })).json?.data).toMatchObject({
    ...{ name: "admin", maxRequests: 700, description: "Raised", windowMs: limit.windowMs, enabled: true },
  });
  expect(await counts()).toEqual([changed + 1, switched]);
  const off = { id: limit.id, maxRequests: 700, enabled: false };
  expect((await save(off)).json?.data).toMatchObject({ enabled: false });
  expect((await save(off)).status).toBe(200);
  expect(await counts()).toEqual([changed + 1, switched + 1]);
});

it.each([
  [{ name: " " }, "A name is required."],
  [{ name: "x", windowMs: 59_999 }, "The window must be 1 to 1,440 minutes."],
  [{ name: "x", windowMs: 86_400_001 }, "The window must be 1 to 1,440 minutes."],
  [{ name: "x", maxRequests: 0 }, "Max requests must be 1 to 10,000."],
  [{ name: "x", maxRequests: 10_001 }, "Max requests must be 1 to 10,000."],
  [{ name: "x", maxRequests: 1.5 }, "Max requests must be a whole number."],
  [{ name: "x", nothing: 1 }, "Unknown field: nothing."],
  [{ id: UNKNOWN_ID }, "Say what to change."],
  [{ id: UNKNOWN_ID, windowMs: 1 }, "The window must be 1 to 1,440 minutes."],
])("%j is refused: %s", async (body, sentence) => {
  const answer = await save(body);
  expect(answer.status).toBe(400);
  expect(answer.json?.error).toBe(sentence);
});

it("limits are an administrator's alone; an unknown one is not found", async () => {
  const user = await makeSignIn(db(), await makeUser(db()));
  expect((await save({ id: UNKNOWN_ID, enabled: false })).status).toBe(404);
  expect((await callDoor(door, "POST", { body: { name: "x" } })).status).toBe(401);
  expect((await callDoor(door, "POST", { token: user, body: { name: "x" } })).status).toBe(403);
  expect((await callDoor(oneDoor, "DELETE", { token: user, params: { id: UNKNOWN_ID } })).status).toBe(403);
});
