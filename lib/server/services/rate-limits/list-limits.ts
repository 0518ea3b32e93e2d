import type { Given } from "@/lib/contracts/endpoint.ts";
import type { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { groupOf, isBound, limitInForce, type RateLimitSetting } from "@/lib/domain/rate-limits.ts";
import type { Context } from "@/lib/server/context.ts";

const ROWS_MAX = 500;

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
  const rows = await db.rateLimit.findMany({ orderBy: [{ createdAt: "asc" }, { name: "asc" }], take: ROWS_MAX });
  const counted = await readCounted(rows.map(({ name }) => name));
  const stats = rows.flatMap(({ id, name }) => {
    const of = counted.get(name);
    return of ? [[id, statsOf(of)] as const] : [];
  });
  return {
    configs: rows.map((row) => ({ ...row, boundTo: groupOf(row.name), inForce: inForceOf(row) })),
    stats: Object.fromEntries(stats),
  };
}

const statsOf = ({ total, blocked, answered, durationMs, since }: Counted) => ({
  totalRequests: total,
  blockedRequests: blocked,
  averageResponseTime: answered === 0 ? null : Math.round((10 * durationMs) / answered) / 10,
  lastReset: since,
});

function inForceOf(row: RateLimitSetting & { name: string }) {
  if (!isBound(row.name)) return null;
  const { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled } = row;
  const limit = limitInForce(row.name, { windowMs, maxRequests, skipSuccessfulRequests, skipFailedRequests, enabled });
  return limit && { windowMs: limit.windowMs, maxRequests: limit.maxRequests };
}
