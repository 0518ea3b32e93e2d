import { afterAll, beforeAll, expect, it } from "vitest";
import { db } from "../../db.ts";
import { forgetEnv } from "../../env.ts";
import { makeSignIn, makeUser } from "@/prisma/factories.ts";
import { callDoor } from "@/lib/proof/call-door.ts";
import * as door from "@/app/api/v1/admin/rate-limits/route.ts";
import { ensureRateLimits } from "./ensure-rate-limits.ts";

interface Listed {
  configs: { id: string; name: string; boundTo: string | null; inForce: unknown; enabled: boolean }[];
  stats: Record<string, { totalRequests: number; blockedRequests: number; averageResponseTime: number | null }>;
}
let token: string;
const list = async () => {
  const { status, json } = await callDoor(door, "GET", { token });
  expect(status).toBe(200);
  return json?.data as unknown as Listed;
};

beforeAll(async () => {
  process.env.TRUSTED_PROXIES = "1";
  forgetEnv();
  await ensureRateLimits({ db: db() });
  token = await makeSignIn(db(), await makeUser(db(), { role: "ADMIN" }));
});
afterAll(() => db().rateLimit.deleteMany());

it("each limit says which group of calls it acts on and what holds; a name that nothing is bound to says so", async () => {
  await db().rateLimit.createMany({
    data: [{ name: "nothing-of-ours", windowMs: 60_000 }],
  });
  await db().rateLimit.update({ where: { name: "attempts-failed" }, data: { enabled: false } });
  await db().rateLimit.update({ where: { name: "export" }, data: { enabled: false } });
  await db().rateLimit.update({ where: { name: "admin" }, data: { maxRequests: 1, windowMs: 86_400_000 } });
  const { configs } = await list();
  const of = (name: string) => configs.find((config) => config.name === name);
  expect(of("api")).toMatchObject({ boundTo: "api", inForce: { windowMs: 60_000, maxRequests: 600 } });
  expect(of("admin")).toMatchObject({ maxRequests: 1, inForce: { windowMs: 60_000, maxRequests: 60 } });
  expect(of("attempts-failed")).toMatchObject({ boundTo: "auth", enabled: false, inForce: { maxRequests: 30 } });
  expect(of("export")).toMatchObject({ boundTo: "export", enabled: false, inForce: null });
  expect(of("nothing-of-ours")).toMatchObject({ boundTo: null, inForce: null });
});

it("calls, refusals and the time of answers are counted under their limit, by the configuration's id", async () => {
  const idOf = ({ configs }: Listed) => configs.find(({ name }) => name === "admin")!.id;
  const before = await list();
  const id = idOf(before);
  await list();
  const headers = { "x-forwarded-for": "198.51.100.7" };
  const status = async () => (await callDoor(door, "GET", { token, headers })).status;
  const burst = () => Promise.all(Array.from({ length: 61 }, status));
  const set = (maxRequests: number) =>
    db().rateLimit.update({ where: { name: "admin" }, data: { maxRequests, windowMs: 60_000 } });
  // A changed row counts within seconds.
  await set(1);
  await expect.poll(burst, { timeout: 20_000 }).toContain(429);
  await set(10_000);
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
  const after = (await list()).stats[id]!;
  expect(after.totalRequests).toBeGreaterThanOrEqual(before.stats[id]!.totalRequests + 4);
  expect(after.blockedRequests).toBeGreaterThanOrEqual(before.stats[id]!.blockedRequests + 1);
  expect(after.averageResponseTime).toBeGreaterThan(0);
});
