import { jobs } from "@/lib/contracts/jobs.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";

/**
 * Rows of the schedule that are more than a minute late: in wall time, and of the US market, whose time is wall time. The practice market's wait for a
 * clock of its own. A row outlives its account and is then due for good: of accounts count those that the worker takes (schedule/take-due.ts).
 *
 * A row moves on when its work is queued. Work of accounts is short and comes every minute or more often: where it was queued and none of it has ended for
 * a minute longer than its interval, it waits in the queue. Other work has a queue of its own, and may run for long.
 */
export async function countOverdue({ db, now }: Pick<Context, "db" | "now">): Promise<number> {
  const late = new Date(now().getTime() - MINUTE_MS);
  const market = hasMarket("US")
    ? Prisma.sql`(s."market" is null or s."market" = 'US')`
    : Prisma.sql`s."market" is null`;
  const [row] = await db.$queryRaw<[{ overdue: number }]>`
    select count(*)::int as "overdue" from "Schedule" s left join "Account" a on a."id" = s."accountId"
    where (s."dueAt" < ${late}::timestamptz or (s."accountId" is not null and s."lastStartedAt" > coalesce(s."lastFinishedAt", a."createdAt")
        and coalesce(s."lastFinishedAt", a."createdAt") + s."everyMs" * interval '1 millisecond' < ${late}::timestamptz))
      and ${market}
      and (s."accountId" is null or (a."sealedKeys" is not null and (a."deletedAt" is null or s."job" = ${jobs.orderStatus.name})))`;
  return row.overdue;
}
