import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, afterEach, expect, it } from "vitest";
import { db } from "../db.ts";
import { env } from "../env.ts";
import { addressBucket, takeAddressPoint, takePoint, takePoints } from "./rate-limit.ts";

const redis = new Redis(env().REDIS_URL ?? "");
afterAll(() => redis.quit());
afterEach(() => db().rateLimit.deleteMany());

const counted = async (name: string, bucket: string) =>
  (await redis.hvals(`${env().QUEUE_PREFIX}:limit:${name}:${bucket}`)).reduce(
    (sum, slot) => sum + Number(slot.split(" ")[0]),
    0,
  );

/** How many of 40 calls pass, from an address of their own; each ends with this status. */
async function passing(name: Parameters<typeof takePoint>[0], status = 200, bucket: string = randomUUID()) {
  for (let passed = 0; passed < 40; passed += 1) {
    try {
      await (await takePoint(name, bucket)).settle(status);
    } catch {
      return passed;
    }
  }
  return Infinity;
}

/** A row counts within five seconds of its change, without a restart. */
const WITHIN = { timeout: 5_000, interval: 100 };
const row = (name: string, fields: object = {}) =>
  db().rateLimit.upsert({ where: { name }, create: { name, ...fields }, update: fields });

it("points are counted in Redis, where every web process sees them, and can be given back", async () => {
  // The first points may be taken before the connection stands: those are counted locally.
  await expect
    .poll(async () => {
      await takePoint("export", "warm-up").catch(() => undefined);
      return counted("export", "warm-up");
    })
    .toBeGreaterThan(0);
  const point = await takePoint("auth-failed", "203.0.113.1");
  await takePoint("auth-failed", "203.0.113.1");
  expect(await counted("auth-failed", "203.0.113.1")).toBe(2);
  await point.settle(200);
  expect(await counted("auth-failed", "203.0.113.1")).toBe(1);
});

it("of 60 calls at once, exactly the twenty of the limit pass, and the refused learn when to retry", async () => {
  const taken = await Promise.allSettled(Array.from({ length: 60 }, () => takePoint("auth-failed", "203.0.113.2")));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  const refused = taken.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({
    code: "too_many_requests",
    message: "Too many requests. Please try again in 15 minutes.",
  });
});

it("refused calls are not counted: when what was taken is given back, there is room again", async () => {
  const points = await Promise.all(Array.from({ length: 20 }, () => takePoint("auth-failed", "203.0.113.3")));
  for (let n = 0; n < 5; n += 1) await expect(takePoint("auth-failed", "203.0.113.3")).rejects.toThrow("Too many");
  await Promise.all(points.map((point) => point.settle(200)));
  expect(await counted("auth-failed", "203.0.113.3")).toBe(0);
});

it("a point of a window that is over is not given back to the next one", async () => {
  const point = await takePoint("auth-failed", "203.0.113.4");
  await redis.del(`${env().QUEUE_PREFIX}:limit:auth-failed:203.0.113.4`);
  await point.settle(200);
  expect(await redis.exists(`${env().QUEUE_PREFIX}:limit:auth-failed:203.0.113.4`)).toBe(0);
});

it("a row that is added, changed and removed counts within seconds", async () => {
  expect(await passing("export")).toBe(10);
  await row("export", { maxRequests: 3 });
  await expect.poll(() => passing("export"), WITHIN).toBe(3);
  await row("export", { maxRequests: 5 });
  await expect.poll(() => passing("export"), WITHIN).toBe(5);
  await db().rateLimit.deleteMany();
  await expect.poll(() => passing("export"), WITHIN).toBe(10);
});

it("a raised limit lets the refused through at once, and a shortened window ends sooner", async () => {
  const key = `${env().QUEUE_PREFIX}:limit:export:203.0.113.5`;
  await row("export", { maxRequests: 2, windowMs: 900_000 });
  await expect.poll(() => passing("export"), WITHIN).toBe(2);
  expect(await passing("export", 200, "203.0.113.5")).toBe(2);
  await row("export", { maxRequests: 4, windowMs: 60_000 });
  await expect.poll(() => passing("export"), WITHIN).toBe(4);
  const refusal: unknown = await takePoint("export", "203.0.113.5").then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeNull();
  expect(await redis.pttl(key)).toBeLessThanOrEqual(60_000);
  expect(await passing("export", 200, "203.0.113.5")).toBe(1);
});

it("a row may leave out calls that went well, or calls that failed", async () => {
  await row("export", { maxRequests: 2, skipSuccessfulRequests: true });
  await expect.poll(() => passing("export", 404), WITHIN).toBe(2);
  expect(await passing("export", 200)).toBe(Infinity);
  expect(await passing("export", 503)).toBe(Infinity);
  await row("export", { maxRequests: 2, skipSuccessfulRequests: false, skipFailedRequests: true });
  await expect.poll(() => passing("export", 404), WITHIN).toBe(Infinity);
  expect(await passing("export", 200)).toBe(2);
});

it("switching a row off lifts its limit; the limits of guessing passwords fall to their floor only", async () => {
  for (const name of ["export", "auth-failed", "attempts-failed"]) await row(name, { enabled: false, maxRequests: 1 });
  await expect.poll(() => passing("export"), WITHIN).toBe(Infinity);
  expect(await passing("attempts-failed", 401)).toBe(30);
  const taken = await Promise.allSettled(Array.from({ length: 150 }, () => takePoint("auth-failed", "203.0.113.6")));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
});

it("a row of an unknown name is kept and bound to nothing", async () => {
  await row("nothing-of-ours", { maxRequests: 1 });
  await row("export", { maxRequests: 4 });
  await expect.poll(() => passing("export"), WITHIN).toBe(4);
  expect(await passing("admin")).toBe(Infinity);
  expect(await db().rateLimit.count({ where: { name: "nothing-of-ours" } })).toBe(1);
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8::2", "2001:db8:0:0::/64"],
  [null, "shared"],
  ["127.0.0.1", "shared"],
])("the bucket of %s is %s", (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});

it("what callers without an address share is widened, with a subject as without one", async () => {
  const passed = async (address: string | null, subject?: string) => {
    let count = 0;
    for (; count < 300; count += 1)
      if (
        await takeAddressPoint("attempts-failed", address, subject).then(
          () => false,
          () => true,
        )
      )
        break;
    return count;
  };
  expect(await passed("203.0.113.8", "ada")).toBe(10);
  expect(await passed(null, "ada")).toBe(200);
  expect(await passed(null)).toBe(200);
});

it("a call that one limit refuses costs no point of another", async () => {
  const bucket = randomUUID();
  const both = () =>
    takePoints(
      () => takePoint("api", bucket),
      () => takePoint("auth-failed", bucket),
    );
  for (let n = 0; n < 20; n += 1) await both();
  for (let n = 0; n < 30; n += 1) await expect(both()).rejects.toThrow("Too many");
  expect(await counted("api", bucket)).toBe(20);
  expect(await counted("auth-failed", bucket)).toBe(20);
});
