import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { Context } from "../../context.ts";
import { findTrades } from "./find-trades.ts";
import { environmentsOf, summarizeTrades } from "./summarize-trades.ts";
import { ownScope, periodOf, type TradeScope } from "./trade-scope.ts";
import { tradeView } from "./trade-view.ts";

type Query = Received<typeof tradesApi.list>;
type Page = Given<typeof tradesApi.list>;

/** The user's own trades. */
export async function listTrades(context: Context, query: Query): Promise<Page> {
  return pageOfTrades(context, query, await ownScope(context));
}

/** All users' trades, for administrators. */
export async function listAllTrades(context: Context, query: Query): Promise<Page> {
  return pageOfTrades(context, query, "everybody");
}

async function pageOfTrades({ db }: Context, query: Query, scope: TradeScope): Promise<Page> {
  const { cursor, limit, sort, direction, ...filter } = query;
  // What cannot be asked is refused before anything is read.
  periodOf(filter);
  const [page, summary, environments] = await Promise.all([
    findTrades(db, scope, filter, { sort, direction, cursor, limit }),
    summarizeTrades(db, scope, filter),
    environmentsOf(db, scope),
  ]);
  return {
    trades: page.rows.map(tradeView),
    summary,
    environments,
    pagination: { nextCursor: page.nextCursor, limit, total: summary.totalTrades },
  };
}
