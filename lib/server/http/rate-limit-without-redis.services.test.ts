import { beforeAll, expect, it } from "vitest";
import { forgetEnv } from "../env.ts";
import { takePoint } from "./rate-limit.ts";

beforeAll(() => {
  // Nobody listens on the discard port.
  process.env.REDIS_URL = "redis://127.0.0.1:9/0";
  forgetEnv();
});

it("while Redis is away the limits hold in the process, and no call waits for it", async () => {
  const startedAt = performance.now();
  const taken = await Promise.allSettled(Array.from({ length: 30 }, () => takePoint("auth-failed", "203.0.113.3")));
  expect(taken.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
