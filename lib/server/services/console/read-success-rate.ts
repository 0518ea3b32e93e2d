import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { consoleApi } from "@/lib/contracts/console.ts";
import type { Context } from "../../context.ts";
import { conjunction, ofScope, tradesOfEnvironment } from "../trades/trade-scope.ts";

type Rate = Given<typeof consoleApi.tradingSuccessRate>;

/** Of all round trips that were ever closed in the environment, from the kept totals. */
export async function readSuccessRate(
  context: Context<"admin">,
  { environment: wanted }: Received<typeof consoleApi.tradingSuccessRate>,
): Promise<Rate> {
  const { scope, environment, environments } = await tradesOfEnvironment(context, wanted, { isOfAll: true });
  const [row] = await context.db.$queryRaw<[{ total: number; wins: number }]>`
    select coalesce(sum("trips"), 0)::int as "total", coalesce(sum("wins"), 0)::int as "wins"
    from "TradeTotals" where ${conjunction(ofScope(scope))}`;
  return {
    environment,
    environments,
    successRate: row.total === 0 ? null : row.wins / row.total,
    profitableTrades: row.wins,
    totalTrades: row.total,
  };
}
