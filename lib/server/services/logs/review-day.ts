import type { Given } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { addDays, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import type { EnvironmentLabel } from "../../rows.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";
import { marketDay } from "./market-day.ts";

type Market = "PRACTICE" | "US";
type Part = Given<typeof logsApi.dailyReview>["parts"][number];

interface Counted {
  environmentLabel: EnvironmentLabel;
  decisions: number;
  reviewed: number;
  executed: number;
}

/**
 * What was done on the New York day of each market, by kind of money: stocks reviewed (metric `stocksReviewed`) and orders
 * executed (`ordersExecuted`). An administrator's figures are those of all users.
 */
export async function reviewDay(context: Context): Promise<Given<typeof logsApi.dailyReview>> {
  const { actor, db } = context;
  const userId = signedInUserId(actor);
  const isAdmin = actor.kind === "user" && actor.role === "ADMIN";
  const whose = isAdmin ? Prisma.sql`true` : Prisma.sql`a."userId" = ${userId}::uuid`;
  const markets = await db.account.findMany({
    where: isAdmin ? {} : { userId },
    distinct: ["market"],
    select: { market: true },
    orderBy: { market: "asc" },
  });
  const parts: Part[] = [];
  for (const { market } of markets) {
    // A market that this installation does not reach has no day.
    if (!hasMarket(market)) continue;
    const sessionDate = newYork(await marketDay(context, market)).date;
    for (const counted of await countDay(context, { market, sessionDate, whose }))
      parts.push({ ...counted, sessionDate });
  }
  const total = (figure: "reviewed" | "executed") => parts.reduce((sum, part) => sum + part[figure], 0);
  return { reviewed: total("reviewed"), executed: total("executed"), parts };
}

/** One row for each kind of money that somebody holds there now or that moved on that day. */
async function countDay(
  { db }: Context,
  { market, sessionDate, whose }: { market: Market; sessionDate: SessionDate; whose: Prisma.Sql },
): Promise<Counted[]> {
  const from = new Date(newYorkInstant(sessionDate, 0, 0));
  const before = new Date(newYorkInstant(addDays(sessionDate, 1), 0, 0));
  return db.$queryRaw<Counted[]>`
    with theirs as (
      select a."id", a."deletedAt" is null as "isHeld",
             case when a."broker" = 'PRACTICE' then 'PRACTICE' else a."environment"::text end as label
      from "Account" a where a."market" = ${market}::"Market" and ${whose}
    ), looked as (
      select t.label, count(*)::int as decisions, sum(c."seated")::int as reviewed
      from theirs t
      join "DecisionRecord" d on d."accountId" = t."id" and d."decidedAt" >= ${from} and d."decidedAt" < ${before}
      join "Cycle" c on c."id" = d."cycleId"
      group by t.label
    ), filled as (
      select t.label, count(distinct f."orderId")::int as executed
      from theirs t
      join "Fill" f on f."accountId" = t."id" and f."at" >= ${from} and f."at" < ${before}
      group by t.label
    )
    select labels.label as "environmentLabel", coalesce(looked.decisions, 0) as decisions,
           coalesce(looked.reviewed, 0) as reviewed, coalesce(filled.executed, 0) as executed
    from (select label, bool_or("isHeld") as "isHeld" from theirs group by label) labels
    left join looked using (label) left join filled using (label)
    where labels."isHeld" or looked.label is not null or filled.label is not null
    order by labels.label`;
}
