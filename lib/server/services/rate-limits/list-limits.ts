import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import type { Context } from "../../context.ts";
import { readLimitStats, type LimitStats } from "../../limits/limit-stats.ts";
import { limitView } from "./limit-view.ts";

/** Created by hand, one by one: a list without pages. */
export const LIMITS_MAX = 500;

/** The limits as they are configured, and what the doors counted under them. */
export async function listLimits({ db }: Pick<Context, "db">): Promise<Given<typeof rateLimitsApi.list>> {
  const rows = await db.rateLimit.findMany({ orderBy: [{ createdAt: "asc" }, { name: "asc" }], take: LIMITS_MAX });
  const counted = await readLimitStats(rows.map(({ name }) => name));
  const stats = rows.flatMap(({ id, name }) => {
    const of = counted.get(name);
    return of ? [[id, statsOf(of)] as const] : [];
  });
  return {
    configs: rows.map(limitView),
    stats: Object.fromEntries(stats),
  };
}

const statsOf = ({ total, blocked, answered, durationMs, since }: LimitStats) => ({
  totalRequests: total,
  blockedRequests: blocked,
  averageResponseTime: answered === 0 ? null : Math.round((10 * durationMs) / answered) / 10,
  lastReset: since,
});
