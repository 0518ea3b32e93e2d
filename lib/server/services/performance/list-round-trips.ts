import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import type { TripOutcome } from "@/lib/domain/enums.ts";
import { money } from "@/lib/domain/money.ts";
import type { Context } from "../../context.ts";
import { readCursor, writeCursor } from "../../cursor.ts";
import { type Db, Prisma } from "../../db.ts";
import { accountsOfEnvironment, isOneOf, type Scope } from "../../core/accounts-of-environment.ts";
import { readStarts } from "../equity/read-starts.ts";
import { checkPeriod } from "./period.ts";
import { exitText, isClosedIn } from "./read-trip-figures.ts";

type Query = Received<typeof performanceApi.trips>;
type Trip = Given<typeof performanceApi.trips>["trips"][number];

interface Row {
  id: string;
  accountId: string;
  symbol: string;
  strategy: string | null;
  regime: string | null;
  openedAt: Date;
  closedAt: Date;
  quantity: string;
  entryValue: string;
  exitValue: string;
  fees: string;
  pnl: string;
  outcome: TripOutcome;
  exitReason: string | null;
  entryTradeId: string | null;
  exitTradeId: string | null;
}

/**
 * Closed round trips that `where` picks, with the orders that opened and closed them. Their places are counted before amounts
 * become text: an order by a bare name would mean the text, in which -9 stands behind -10.
 */
export async function readTrips(
  db: Db,
  accounts: Scope["accounts"],
  { where, order, limit }: { where: Prisma.Sql; order: Prisma.Sql; limit: number },
): Promise<Trip[]> {
  const rows = await db.$queryRaw<Row[]>`
    with found as (
      select * from "RoundTrip" where ${isOneOf(accounts)} and "closedAt" is not null and ${where}
      order by ${order} limit ${limit}),
    t as (select *, row_number() over (order by ${order}) as "place" from found)
    select t."id", t."accountId", t."symbol", t."strategy"::text, t."regime"::text, t."openedAt", t."closedAt",
      t."qtyBought"::text as "quantity", t."entryValue"::text, t."exitValue"::text, t."fees"::text, t."pnl"::text,
      t."outcome"::text, t."exitReason", b."orderId" as "entryTradeId", s."orderId" as "exitTradeId"
    from t
    left join lateral (select "orderId" from "Fill" f where f."accountId" = t."accountId" and f."symbol" = t."symbol"
      and f."side" = 'BUY' and f."at" >= t."openedAt" and f."at" <= t."closedAt" order by f."at" limit 1) b on true
    left join lateral (select "orderId" from "Fill" f where f."accountId" = t."accountId" and f."symbol" = t."symbol"
      and f."side" = 'SELL' and f."at" >= t."openedAt" and f."at" <= t."closedAt" order by f."at" desc limit 1) s on true
    order by t."place"`;
  const nameOf = new Map(accounts.map((account) => [account.id, accountTitle(account)]));
  return rows.map(({ accountId, exitReason, ...row }) => {
    const entry = money(row.entryValue);
    return {
      ...row,
      pnlFraction: entry.gt(0) ? money(row.pnl).div(entry).toNumber() : null,
      exitReason: exitReason === null ? null : exitText(exitReason),
      account: { id: accountId, name: nameOf.get(accountId)! },
    };
  });
}

/** True for the value asked for; "none" asks for rows that have none. */
function has(column: Prisma.Sql, wanted: string | undefined): Prisma.Sql {
  if (wanted === undefined) return Prisma.sql`true`;
  return wanted === "none" ? Prisma.sql`${column} is null` : Prisma.sql`${column}::text = ${wanted}`;
}

/** The round trips behind a figure, latest exit first. */
export async function listRoundTrips(
  context: Context<"user">,
  query: Query,
): Promise<Given<typeof performanceApi.trips>> {
  checkPeriod(query);
  const { limit } = query;
  const after = query.cursor === undefined ? null : readCursor(query.cursor);
  const { accounts, ...scope } = await accountsOfEnvironment(context, query.environment);
  if (accounts.length === 0) return { ...scope, trips: [], pagination: { nextCursor: null, limit } };
  const starts = await readStarts(
    context.db,
    accounts.map(({ id }) => id),
  );
  const where = Prisma.join(
    [
      isClosedIn(query, starts),
      has(Prisma.sql`"outcome"`, query.outcome),
      has(Prisma.sql`"strategy"`, query.strategy),
      has(Prisma.sql`"regime"`, query.regime),
      has(Prisma.sql`"exitReason"`, query.exit),
      has(Prisma.sql`"symbol"`, query.symbol),
      after ? Prisma.sql`("closedAt", "id") < (${after.at}, ${after.id}::uuid)` : Prisma.sql`true`,
    ],
    " and ",
  );
  const order = Prisma.sql`"closedAt" desc, "id" desc`;
  const rows = await readTrips(context.db, accounts, { where, order, limit: limit + 1 });
  const trips = rows.slice(0, limit);
  const last = trips.at(-1);
  return {
    ...scope,
    trips,
    pagination: {
      nextCursor: rows.length > limit && last ? writeCursor({ at: new Date(last.closedAt), id: last.id }) : null,
      limit,
    },
  };
}
