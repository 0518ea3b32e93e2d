import { expect, it } from "vitest";
import { RATE_LIMITS } from "@/lib/domain/rate-limits.ts";
import { db } from "../../db.ts";
import { ensureRateLimits } from "./ensure-rate-limits.ts";

it("a new installation has a row for each limit that acts, and a second run keeps what was changed or added", async () => {
  await ensureRateLimits({ db: db() });
  const rows = await db().rateLimit.findMany({ orderBy: { name: "asc" } });
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(RATE_LIMITS).sort());
  for (const { name, windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled } of rows)
    expect({ ...RATE_LIMITS[name as keyof typeof RATE_LIMITS], enabled }).toMatchObject({
      windowMs,
      maxRequests,
      skipSuccessfulRequests,
      skipFailedRequests,
      enabled: true,
    });

  await db().rateLimit.update({ where: { name: "api" }, data: { maxRequests: 42, enabled: false } });
  await db().rateLimit.create({ data: { name: "of-an-administrator" } });
  const changed = await db().rateLimit.findMany({ orderBy: { name: "asc" } });
  await ensureRateLimits({ db: db() });
  expect(await db().rateLimit.findMany({ orderBy: { name: "asc" } })).toEqual(changed);
});
