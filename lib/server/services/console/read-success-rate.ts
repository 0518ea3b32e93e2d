import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { conjunction, ofScope, tradesOfEnvironment } from "../trades/trade-scope.ts";

type Rate = Given<typeof consoleApi.tradingSuccessRate>;

/** Of all round trips that were ever closed in the environment, from the kept sums of whole years. */
export async function readSuccessRate(
  context: Context<"admin">,
  { environment: wanted }: Received<typeof consoleApi.tradingSuccessRate>,
): Promise<Rate> {
  const { scope, environment, environments } = await tradesOfEnvironment(context, wanted, { isOfAll: true });
  const [row] = await context.db.$queryRaw<[{ total: number; wins: number }]>`
    select coalesce(sum("trips"), 0)::int as "total",
      coalesce(sum("trips") filter (where "outcome" = 'WIN'), 0)::int as "wins"
    from "TripSum" where ${conjunction([...ofScope(scope), Prisma.sql`"span" = 'YEAR'`, Prisma.sql`"symbol" = ''`])}`;
  return {
    environment,
    environments,
    successRate: row.total === 0 ? null : row.wins / row.total,
    profitableTrades: row.wins,
    totalTrades: row.total,
  };
}
