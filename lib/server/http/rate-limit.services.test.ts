import { Redis } from "ioredis";
import { afterAll, expect, it } from "vitest";
import { env } from "../env.ts";
import { addressBucket, takePoint } from "./rate-limit.ts";

const redis = new Redis(env().REDIS_URL ?? "");
afterAll(() => redis.quit());

const counted = async (name: string, bucket: string) =>
  Number(await redis.get(`${env().QUEUE_PREFIX}:limit:${name}:${bucket}`));

it("points are counted in Redis, where every web process sees them, and can be given back", async () => {
  // The first points may be taken before the connection stands: those are counted locally.
  await expect
    .poll(async () => {
      await takePoint("export", "warm-up");
      return counted("export", "warm-up");
    })
    .toBeGreaterThan(0);
  const point = await takePoint("auth-failed", "203.0.113.1");
  await takePoint("auth-failed", "203.0.113.1");
  expect(await counted("auth-failed", "203.0.113.1")).toBe(2);
  await point.giveBack();
  expect(await counted("auth-failed", "203.0.113.1")).toBe(1);
});

it("of 60 calls at once, exactly the twenty of the limit pass, and the refused learn when to come back", async () => {
  const taken = await Promise.allSettled(Array.from({ length: 60 }, () => takePoint("auth-failed", "203.0.113.2")));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  const refused = taken.find(({ status }) => status === "rejected") as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({
    code: "too_many_requests",
    message: "Too many requests. Please try again in 15 minutes.",
  });
});

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:DB8:1:2:3:4:5:6", "2001:db8:1:2"],
  [null, "shared"],
])("the bucket of %s is %s", (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});
