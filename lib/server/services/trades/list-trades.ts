import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { findTrades, type TradeRow } from "./find-trades.ts";
import { protectionOfEach } from "./read-protection.ts";
import { tripPnlOfEach } from "./read-trip.ts";
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
    trades: await withTrips(context.db, page.rows),
    summary,
    pagination: { nextCursor: page.nextCursor, limit, total: summary.totalTrades },
  };
}

/** Each trade with what stands beside it in the list: a purchase with its stops, a sale with the P&L of the trip that it closed. */
async function withTrips(db: Db, rows: readonly TradeRow[]): Promise<Page["trades"]> {
  const filled = (side: TradeRow["side"]) =>
    rows.filter((row) => row.side === side && row.filledValue.gt(0)).map(({ id }) => id);
  const [protection, pnl] = await Promise.all([protectionOfEach(db, filled("BUY")), tripPnlOfEach(db, filled("SELL"))]);
  return rows.map((row) => ({
    ...tradeView(row),
    tripPnl: pnl.get(row.id) ?? null,
    protection: protection.get(row.id) ?? [],
  }));
}
