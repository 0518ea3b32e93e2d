import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import type { Context } from "@/lib/server/context.ts";
import { limitView } from "./limit-view.ts";

/** Created by hand, one by one: a list that nobody pages. */
export const LIMITS_MAX = 500;

interface Counted {
  total: number;
  blocked: number;
  answered: number;
  durationMs: number;
  since: Date;
}

/** The limits as they are configured, and what the doors counted under them. */
export async function listLimits(
  { db }: Pick<Context, "db">,
  readCounted: (names: string[]) => Promise<ReadonlyMap<string, Counted>>,
): Promise<Given<typeof rateLimitsApi.list>> {
  const rows = await db.rateLimit.findMany({ orderBy: [{ createdAt: "asc" }, { name: "asc" }], take: LIMITS_MAX });
  const counted = await readCounted(rows.map(({ name }) => name));
  const stats = rows.flatMap(({ id, name }) => {
    const of = counted.get(name);
    return of ? [[id, statsOf(of)] as const] : [];
  });
  return {
    configs: rows.map(limitView),
    stats: Object.fromEntries(stats),
  };
}

const statsOf = ({ total, blocked, answered, durationMs, since }: Counted) => ({
  totalRequests: total,
  blockedRequests: blocked,
  averageResponseTime: answered === 0 ? null : Math.round((10 * durationMs) / answered) / 10,
  lastReset: since,
});
