import type { Given } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { money, ZERO } from "@/lib/domain/money.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { Prisma, type Db } from "../../db.ts";
import { partsOf, type Stretch } from "./period-parts.ts";
import {
  conjunction,
  isWithin,
  kindConditions,
  ofScope,
  periodOf,
  symbolConditions,
  tradeConditions,
  type TradeFilter,
  type TradeScope,
} from "./trade-scope.ts";

type Summary = Given<typeof tradesApi.list>["summary"];

/** Over all trades that match, not only one page of them. */
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

interface Counted {
  trades: number;
  filled: number;
  volume: string;
}

/** Whole years and days from their sums, and the trades themselves only at the ends of the period. */
async function countTrades(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Counted> {
  const { symbol, side, status } = filter;
  const { ends } = partsOf(periodOf(filter));
  const pieces = [
    ...sumsOf("trades", scope, filter).map(
      (conditions) => Prisma.sql`
        select "trades", "status", "volume" from "TradeSum" where ${conjunction([...conditions, ...kindConditions(filter)])}`,
    ),
    ...ends.map(
      (end) => Prisma.sql`
        select 1, "status", "filledValue" from "Order" where ${conjunction([
          ...ofScope(scope),
          ...tradeConditions(scope, { symbol, side, status }),
          ...isWithin(Prisma.sql`"tradedAt"`, end),
        ])}`,
    ),
  ];
  if (pieces.length === 0) return { trades: 0, filled: 0, volume: "0" };
  const [row] = await db.$queryRaw<Counted[]>`
    select coalesce(sum("trades"), 0)::int as "trades", coalesce(sum("trades") filter (where "status" = 'FILLED'), 0)::int as "filled",
      coalesce(sum("volume"), 0)::text as "volume"
    from (${Prisma.join(pieces, " union all ")}) counted("trades", "status", "volume")`;
  if (!row) throw new Error("a sum without a row");
  return row;
}

interface Trips {
  wins: number;
  losses: number;
}

/** Round trips closed in the period, in these symbols: a trip has no side and no status. */
async function countTrips(db: Db, scope: TradeScope, filter: TradeFilter): Promise<Trips> {
  const { ends } = partsOf(periodOf(filter));
  const pieces = [
    ...sumsOf("trips", scope, filter).map(
      (conditions) => Prisma.sql`select "trips", "outcome" from "TripSum" where ${conjunction(conditions)}`,
    ),
    ...ends.map(
      (end) => Prisma.sql`
        select 1, "outcome" from "RoundTrip" where ${conjunction([
          ...ofScope(scope),
          Prisma.sql`"closedAt" is not null`,
          ...symbolConditions(scope, filter, "trips"),
          ...isWithin(Prisma.sql`"closedAt"`, end),
        ])}`,
    ),
  ];
  if (pieces.length === 0) return { wins: 0, losses: 0 };
  const [row] = await db.$queryRaw<Trips[]>`
    select coalesce(sum("trips") filter (where "outcome" = 'WIN'), 0)::int as "wins",
      coalesce(sum("trips") filter (where "outcome" = 'LOSS'), 0)::int as "losses"
    from (${Prisma.join(pieces, " union all ")}) counted("trips", "outcome")`;
  if (!row) throw new Error("a count without a row");
  return row;
}

/** Conditions on kept sums, one list for each of the stretches that the period holds whole. */
function sumsOf(of: "trades" | "trips", scope: TradeScope, filter: TradeFilter): Prisma.Sql[][] {
  const { years, days } = partsOf(periodOf(filter));
  const isOfSymbols = filter.symbol !== undefined;
  const whose = [
    scope === "everybody" ? Prisma.sql`"accountId" = any(array(select "id" from "Account"))` : ofScope(scope),
    ...(isOfSymbols ? symbolConditions(scope, filter, of) : [Prisma.sql`"symbol" = ''`]),
  ].flat();
  const within = (span: "YEAR" | "DAY", stretch: Stretch<SessionDate>) => [
    ...whose,
    Prisma.sql`"span" = ${isOfSymbols ? `SYMBOL_${span}` : span}::"SumSpan"`,
    ...isWithin(Prisma.sql`"start"`, stretch, "date"),
  ];
  return [...(years ? [within("YEAR", years)] : []), ...days.map((stretch) => within("DAY", stretch))];
}
