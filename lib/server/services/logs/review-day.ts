import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { logsApi } from "@/lib/contracts/logs.ts";
import { addDays, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { accountsOfEnvironment, type Scope } from "../../core/accounts-of-environment.ts";
import { marketDay } from "./market-day.ts";

type Review = Given<typeof logsApi.dailyReview>;

const NOTHING = { decisions: 0, reviewed: 0, executed: 0 };

/**
 * What was done in one environment on the New York day of its market: stocks reviewed (metric `stocksReviewed`) and orders
 * executed (`ordersExecuted`). An administrator's figures are those of all users.
 */
export async function reviewDay(
  context: Context<"user">,
  { environment: wanted }: Received<typeof logsApi.dailyReview>,
): Promise<Review> {
  const { actor } = context;
  const isOfAll = actor.role === "ADMIN";
  const { accounts, ...scope } = await accountsOfEnvironment(context, wanted, { isOfAll, hasRemoved: true });
  const market = accounts[0]?.market;
  // A market that this installation does not reach has no day.
  if (market === undefined || !hasMarket(market)) return { ...scope, ...NOTHING, sessionDate: null };
  const sessionDate = newYork(await marketDay(context, market)).date;
  return { ...scope, ...(await countDay(context, accounts, sessionDate)), sessionDate };
}

async function countDay(
  { db }: Context,
  accounts: Scope["accounts"],
  sessionDate: SessionDate,
): Promise<typeof NOTHING> {
  const ids = accounts.map(({ id }) => id);
  const from = new Date(newYorkInstant(sessionDate, 0, 0));
  const before = new Date(newYorkInstant(addDays(sessionDate, 1), 0, 0));
  const [row] = await db.$queryRaw<(typeof NOTHING)[]>`
    with looked as (
      select count(*)::int as decisions, coalesce(sum(c."seated"), 0)::int as reviewed
      from "DecisionRecord" d join "Cycle" c on c."id" = d."cycleId"
      where d."accountId" = any(${ids}::uuid[]) and d."decidedAt" >= ${from} and d."decidedAt" < ${before}
    ), filled as (
      select count(distinct f."orderId")::int as executed from "Fill" f
      where f."accountId" = any(${ids}::uuid[]) and f."at" >= ${from} and f."at" < ${before}
    )
    select decisions, reviewed, executed from looked cross join filled`;
  return row ?? NOTHING;
}
