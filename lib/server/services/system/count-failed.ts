import { jobs } from "@/lib/contracts/jobs.ts";
import { MARKETS } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";

/**
 * Scheduled work whose last run failed, by job: a rate of failures says nothing of what runs hourly or less often. Without the work of single accounts, and
 * without rows that no worker takes any more: of a market that is not configured, or of a job that this version does not have.
 */
export async function countFailed({ db }: Pick<Context, "db">): Promise<{ job: string; failed: number }[]> {
  const rows = await db.schedule.groupBy({
    by: ["job"],
    where: {
      lastStatus: "failed",
      accountId: null,
      job: { in: Object.values(jobs).map(({ name }) => name) },
      OR: [{ market: null }, { market: { in: MARKETS.filter((market) => hasMarket(market)) } }],
    },
    _count: true,
  });
  return rows.map(({ job, _count }) => ({ job, failed: _count }));
}
