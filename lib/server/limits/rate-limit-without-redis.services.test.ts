import { beforeAll, expect, it } from "vitest";
import { db } from "../db.ts";
import { forgetEnv } from "../env.ts";
import { readLimitStats } from "./limit-stats.ts";
import { takePoint } from "./rate-limit.ts";

beforeAll(() => {
  // No server listens on the discard port.
  process.env.REDIS_URL = "redis://127.0.0.1:9/0";
  forgetEnv();
});

const takeAll = (name: Parameters<typeof takePoint>[0], calls: number, bucket: string) =>
  Promise.allSettled(Array.from({ length: calls }, () => takePoint(name, bucket)));
const passed = (taken: PromiseSettledResult<unknown>[]) => taken.filter(({ status }) => status === "fulfilled").length;

it("while Redis is unavailable the limits hold in the process, and no call waits for it (R6)", async () => {
  // The first call reads the rows, too: what is timed here is the absence of Redis alone.
  await takePoint("api", "warm-up");
  const startedAt = performance.now();
  expect(passed(await takeAll("auth-failed", 30, "203.0.113.3"))).toBe(20);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

it("while Redis is unavailable rows act, refused calls are not counted, and points are given back", async () => {
  await db().rateLimit.create({ data: { name: "export", maxRequests: 3, skipFailedRequests: true } });
  let round = 0;
  const bucketOfRound = () => `203.0.113.${(round += 1)}`;
  await expect.poll(async () => passed(await takeAll("export", 12, bucketOfRound())), { timeout: 5_000 }).toBe(3);
  const taken = await takeAll("export", 12, "198.51.100.1");
  for (const point of taken) if (point.status === "fulfilled") await point.value.settle(404);
  expect(passed(await takeAll("export", 12, "198.51.100.1"))).toBe(3);
});

it("while Redis is unavailable what happened under a limit is counted in the process", async () => {
  const before = (await readLimitStats(["admin"])).get("admin")!;
  const [taken] = await takeAll("admin", 1, "198.51.100.2");
  if (taken?.status === "fulfilled") await taken.value.settle(200);
  expect((await readLimitStats(["admin"])).get("admin")).toMatchObject({
    total: before.total + 1,
    answered: before.answered + 1,
  });
});
