import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import { Prisma, type Db } from "../../db.ts";
import { environmentLabel, type EnvironmentLabel } from "../../rows.ts";
import {
  conjunction,
  idList,
  ofScope,
  periodOf,
  symbolConditions,
  tallyConditions,
  tradeConditions,
  type TradeFilter,
  type TradeScope,
} from "./trade-scope.ts";

type Summary = Given<typeof tradesApi.list>["summary"];

/** Over all trades that match, not only one page of them: from the tally, and from the trades themselves for a period. */
export async function summarizeTrades(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Summary> {
  const [{ trades, filled, volume }, { wins, losses }] = await Promise.all([
    countTrades(db, scope, filter),
    countTrips(db, scope, filter),
  ]);
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

/** Of which environments there are trades. */
export async function environmentsOf(db: Db, scope: TradeScope): Promise<EnvironmentLabel[]> {
  if (isNobody(scope)) return [];
  const found = await db.$queryRaw<Parameters<typeof environmentLabel>[0][]>`
    select distinct "broker"::text as "broker", "environment"::text as "environment" from "Account" a
    where ${scope === "everybody" ? Prisma.sql`true` : Prisma.sql`"id" = any(${idList(scope.accountIds)})`}
      and exists (select 1 from "TradeTally" t where t."accountId" = a."id" and t."trades" > 0)`;
  return [...new Set(found.map(environmentLabel))].sort();
}

const hasPeriod = ({ startDate, endDate }: TradeFilter) => startDate !== undefined || endDate !== undefined;

interface Counted {
  trades: number;
  filled: number;
  volume: string;
}

async function countTrades(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Counted> {
  if (isNobody(scope)) return { trades: 0, filled: 0, volume: "0" };
  const [row] = hasPeriod(filter)
    ? await db.$queryRaw<Counted[]>`
        select count(*)::int as "trades", (count(*) filter (where "status" = 'FILLED'))::int as "filled",
          coalesce(sum("filledValue"), 0)::text as "volume"
        from "Order" where ${conjunction([...ofScope(scope), ...tradeConditions(scope, filter)])}`
    : await db.$queryRaw<Counted[]>`
        select coalesce(sum("trades"), 0)::int as "trades",
          coalesce(sum("trades") filter (where "status" = 'FILLED'), 0)::int as "filled",
          coalesce(sum("volume"), 0)::text as "volume"
        from "TradeTally" where ${conjunction(tallyConditions(scope, filter))}`;
  if (!row) throw new Error("a sum without a row");
  return row;
}

interface Trips {
  wins: number;
  losses: number;
}

/** Round trips closed in the period, in these symbols: a trip has no side and no status. */
async function countTrips(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Trips> {
  if (isNobody(scope)) return { wins: 0, losses: 0 };
  const { from, before } = periodOf(filter);
  const { symbol } = filter;
  const [row] =
    !hasPeriod(filter) && symbol === undefined
      ? await db.$queryRaw<Trips[]>`
          select coalesce(sum("winningTrips"), 0)::int as "wins", coalesce(sum("losingTrips"), 0)::int as "losses"
          from "AccountFigures" where ${conjunction(ofScope(scope))}`
      : await db.$queryRaw<Trips[]>`
          select (count(*) filter (where "outcome" = 'WIN'))::int as "wins",
            (count(*) filter (where "outcome" = 'LOSS'))::int as "losses"
          from "RoundTrip" where ${conjunction([
            ...ofScope(scope),
            Prisma.sql`"closedAt" is not null`,
            ...symbolConditions(scope, filter),
            ...(from === null ? [] : [Prisma.sql`"closedAt" >= ${from}`]),
            ...(before === null ? [] : [Prisma.sql`"closedAt" < ${before}`]),
          ])}`;
  if (!row) throw new Error("a count without a row");
  return row;
}

const isNobody = (scope: TradeScope) => scope !== "everybody" && scope.accountIds.length === 0;
