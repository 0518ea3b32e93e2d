import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import { Prisma, type Db } from "../../db.ts";
import {
  conjunction,
  isWithin,
  ofScope,
  periodOf,
  symbolConditions,
  tradeConditions,
  type TradeFilter,
  type TradeScope,
} from "./trade-scope.ts";

type Summary = Given<typeof tradesApi.list>["summary"];

interface Totals {
  trades: number;
  filled: number;
  volume: string;
  wins: number;
  losses: number;
}

/** Over all trades that match, not only one page of them. */
export async function summarizeTrades(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Summary> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { trades, filled, volume, wins, losses } = isFiltered
    ? await addUp(db, scope, filter)
    : await readTotals(db, scope);
  const totalVolume = money(volume);
  return {
    totalTrades: trades,
    filledTrades: filled,
    winningTrades: wins,
    losingTrades: losses,
    totalVolume,
    averageTradeSize: trades > 0 ? totalVolume.div(trades).toDecimalPlaces(9) : ZERO,
  };
}

/** What triggers keep of each account. */
async function readTotals(db: Db, scope: TradeScope): Promise<Totals> {
  const [row] = await db.$queryRaw<[Totals]>`
    select coalesce(sum("trades"), 0)::int as "trades", coalesce(sum("filledTrades"), 0)::int as "filled",
      coalesce(sum("volume"), 0)::text as "volume", coalesce(sum("wins"), 0)::int as "wins", coalesce(sum("losses"), 0)::int as "losses"
    from "TradeTotals" where ${conjunction(ofScope(scope))}`;
  return row;
}

/** Of the trades themselves, along an index that holds all that is read. A round trip has no side and no status. */
async function addUp(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Totals> {
  const [row] = await db.$queryRaw<[Totals]>`
    select t.*, r.* from (
      select count(*)::int as "trades", count(*) filter (where "status" = 'FILLED')::int as "filled",
        coalesce(sum("filledValue"), 0)::text as "volume"
      from "Order" where ${conjunction([...ofScope(scope), ...tradeConditions(filter)])}
    ) t cross join (
      select count(*) filter (where "outcome" = 'WIN')::int as "wins", count(*) filter (where "outcome" = 'LOSS')::int as "losses"
      from "RoundTrip" t where ${conjunction([
        ...ofScope(scope),
        Prisma.sql`"closedAt" is not null`,
        ...tripConditions(filter),
        ...isWithin(Prisma.sql`"closedAt"`, periodOf(filter)),
      ])}
    ) r`;
  return row;
}

/** A round trip is found with its trades: those before a change of its symbol keep the old one. */
function tripConditions(filter: TradeFilter): Prisma.Sql[] {
  const [ofSymbol] = symbolConditions(filter);
  if (ofSymbol === undefined) return [];
  return [
    Prisma.sql`case when exists (select 1 from "AppliedCorporateAction" c where c."accountId" = t."accountId" and c."symbol" = t."symbol")
      then exists (
        select 1 from "Fill" f cross join lateral (select "symbol" from "Order" where "id" = f."orderId" and ${ofSymbol}) o
        where f."accountId" = t."accountId" and f."symbol" = t."symbol" and f."at" between t."openedAt" and t."closedAt")
      else ${ofSymbol} end`,
  ];
}
