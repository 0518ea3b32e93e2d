import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { Context } from "../../context.ts";
import { findTrades } from "./find-trades.ts";
import { summarizeTrades } from "./summarize-trades.ts";
import { periodOf, tradesOfEnvironment } from "./trade-scope.ts";
import { tradeView } from "./trade-view.ts";

type Query = Received<typeof tradesApi.list>;
type Page = Given<typeof tradesApi.list>;

/** The user's own trades. */
export async function listTrades(context: Context<"user">, query: Query): Promise<Page> {
  return pageOfTrades(context, query, { isOfAll: false });
}

/** All users' trades, for administrators. */
export async function listAllTrades(context: Context<"admin">, query: Query): Promise<Page> {
  return pageOfTrades(context, query, { isOfAll: true });
}

async function pageOfTrades(context: Context<"user">, query: Query, whose: { isOfAll: boolean }): Promise<Page> {
  const { environment: wanted, cursor, limit, sort, direction, ...filter } = query;
  // What cannot be asked is refused before anything is read.
  periodOf(filter);
  const { scope, environment, environments } = await tradesOfEnvironment(context, wanted, whose);
  const [page, summary] = await Promise.all([
    findTrades(context.db, scope, filter, { sort, direction, cursor, limit }),
    summarizeTrades(context.db, scope, filter),
  ]);
  return {
    environment,
    environments,
    trades: page.rows.map(tradeView),
    summary,
    pagination: { nextCursor: page.nextCursor, limit, total: summary.totalTrades },
  };
}
