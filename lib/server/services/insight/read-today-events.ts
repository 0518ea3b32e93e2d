import { accountTitle } from "@/lib/domain/account-title.ts";
import type { DayTrade } from "@/lib/domain/insight/today-facts.ts";
import type { TimelineFacts } from "@/lib/domain/insight/today-timeline.ts";
import { text } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { readTrips } from "../performance/list-round-trips.ts";
import { isWithin } from "../performance/period.ts";
import { exitText } from "../performance/read-trip-figures.ts";
import type { BriefScope } from "./accounts-of-brief.ts";

/** Far above what the limits on orders and the interval of the looks let through in a day. */
const TRIPS_MOST = 1000;
const LOOKS_MOST = 2000;

interface TradeRow extends Omit<DayTrade, "at"> {
  at: Date;
}

type Db = Pick<Context, "db">;
/** The session's day in New York, as a filter of columns. */
type InDay = { gte: Date; lt: Date };

/** What happened in the session, in order of time. Of decisions the lines alone are read: plans are a hundred times larger. */
export async function readDayOfEvents(context: Db, { accounts, session }: BriefScope): Promise<TimelineFacts> {
  const { db } = context;
  const ids = accounts.map(({ id }) => id);
  const day = { from: session, to: session };
  const inDay: InDay = {
    gte: new Date(newYorkInstant(session, 0, 0)),
    lt: new Date(newYorkInstant(addDays(session, 1), 0, 0)),
  };
  const [looks, trades, trips, raises, rejected] = await Promise.all([
    db.decisionRecord.findMany({
      where: { accountId: { in: ids }, decidedAt: inDay },
      select: { id: true, accountId: true, decidedAt: true, line: true },
      orderBy: [{ decidedAt: "desc" }, { id: "desc" }],
      take: LOOKS_MOST,
    }),
    db.$queryRaw<TradeRow[]>`
      select f."orderId" as "tradeId", f."symbol", f."side"::text as "side", sum(f."qty")::text as "quantity",
        round(sum(f."qty" * f."price") / sum(f."qty"), 9)::text as "price", max(f."at") as "at", min(o."reason") as "reason",
        bool_and(o."origin" = 'OURS') as "isOurs"
      from "Fill" f join "Order" o on o."id" = f."orderId"
      where ${isOneOf(accounts, Prisma.sql`f."accountId"`)} and ${isWithin(Prisma.sql`f."at"`, day)}
      group by f."orderId", f."symbol", f."side" having sum(f."qty") > 0 order by max(f."at"), f."orderId"`,
    readTrips(db, accounts, {
      where: isWithin(Prisma.sql`"closedAt"`, day),
      order: Prisma.sql`"closedAt", "id"`,
      limit: TRIPS_MOST,
    }),
    readRaises(context, ids, inDay),
    readRejected(context, ids, inDay),
  ]);
  const titleOf = new Map(accounts.map((account) => [account.id, accountTitle(account)]));
  return {
    looks: looks.reverse().map(({ id, accountId, decidedAt, line }) => ({
      id,
      accountId,
      line,
      at: decidedAt.toISOString(),
      account: accounts.length === 1 ? null : (titleOf.get(accountId) ?? null),
    })),
    trades: trades.map(({ at, quantity, price, reason, ...row }) => ({
      ...row,
      quantity: text(quantity),
      price: text(price),
      at: at.toISOString(),
      reason: reason === null ? null : exitText(reason),
    })),
    trips: trips.map(({ symbol, pnl, outcome, exitReason, exitTradeId }) => ({
      symbol,
      pnl: text(pnl.toString()),
      outcome,
      exitReason,
      tradeId: exitTradeId,
    })),
    raises,
    rejected,
  };
}

/** A raised stop rests, was raised again, or was met. */
async function readRaises({ db }: Db, ids: string[], inDay: InDay): Promise<TimelineFacts["raises"]> {
  const stop = { accountId: { in: ids }, role: "STOP", reason: "trailing_stop", submittedAt: inDay } as const;
  const rows = await db.order.findMany({
    where: {
      OR: [
        { ...stop, status: { in: [...WORKING_STATUSES, "REPLACED"] } },
        { ...stop, status: "FILLED", tradedAt: inDay },
      ],
    },
    select: { symbol: true, stopPrice: true, submittedAt: true },
  });
  return rows.flatMap(({ symbol, stopPrice, submittedAt }) =>
    stopPrice === null ? [] : [{ symbol, stopPrice: text(stopPrice.toString()), at: submittedAt.toISOString() }],
  );
}

/** Orders that the broker rejected, and what it refused at once, which never became an order. */
async function readRejected({ db }: Db, ids: string[], inDay: InDay): Promise<TimelineFacts["rejected"]> {
  const [orders, intents] = await Promise.all([
    db.order.findMany({
      where: { accountId: { in: ids }, tradedAt: inDay, status: "REJECTED" },
      select: { id: true, symbol: true, tradedAt: true },
    }),
    db.intent.findMany({
      where: { accountId: { in: ids }, decidedAt: inDay, status: "REJECTED", orders: { none: {} } },
      select: { symbol: true, decidedAt: true },
    }),
  ]);
  return [
    ...orders.map(({ id, symbol, tradedAt }) => ({ tradeId: id, symbol, at: tradedAt.toISOString() })),
    ...intents.map(({ symbol, decidedAt }) => ({ tradeId: null, symbol, at: decidedAt.toISOString() })),
  ];
}
