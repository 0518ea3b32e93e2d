import type { BriefFacts, FillFacts } from "@/lib/domain/insight/facts.ts";
import { addSessions, isSession, previousSession } from "@/lib/domain/market-calendar.ts";
import { text } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { addDays, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";
import { readTrips } from "../performance/list-round-trips.ts";
import { isWithin } from "../performance/period.ts";
import { readSlippage } from "../performance/read-trading.ts";
import { countDayTrades } from "../equity/count-day-trades.ts";
import type { BriefScope } from "./accounts-of-brief.ts";

/** Far above what the limits on orders let through in a day. */
const TRIPS_MOST = 1000;
const DAY_TRADE_SESSIONS = 5;

type TradingFacts = Pick<BriefFacts, "fills" | "slippageBps" | "rejected" | "working" | "trips" | "dayTrades">;

/** What was traded in the session, what is working now. */
export async function readDayOfTrading(context: Context, { accounts, session }: BriefScope): Promise<TradingFacts> {
  const { db } = context;
  const ids = accounts.map(({ id }) => id);
  const day = { from: session, to: session };
  const inDay = {
    gte: new Date(newYorkInstant(session, 0, 0)),
    lt: new Date(newYorkInstant(addDays(session, 1), 0, 0)),
  };
  const trade = { id: true, symbol: true, side: true } as const;
  const [fills, slippageBps, rejected, refused, working, trips, count] = await Promise.all([
    db.$queryRaw<FillFacts[]>`
      select "orderId" as "tradeId", "symbol", "side"::text as "side", sum(round("qty" * "price", 9))::text as "value"
      from "Fill" where ${isOneOf(accounts)} and ${isWithin(Prisma.sql`"at"`, day)}
      group by "orderId", "symbol", "side" order by min("at"), "orderId"`,
    readSlippage(db, accounts, day),
    db.order.findMany({
      where: { accountId: { in: ids }, tradedAt: inDay, status: "REJECTED" },
      select: trade,
      orderBy: { tradedAt: "asc" },
    }),
    // What the broker refused at once never became an order.
    db.intent.findMany({
      where: { accountId: { in: ids }, decidedAt: inDay, status: "REJECTED", orders: { none: {} } },
      select: { symbol: true, side: true },
      orderBy: { decidedAt: "asc" },
    }),
    db.order.findMany({
      where: { accountId: { in: ids }, status: { in: [...WORKING_STATUSES] }, role: { in: ["ENTRY", "EXIT"] } },
      select: trade,
      orderBy: { submittedAt: "asc" },
    }),
    readTrips(db, accounts, {
      where: isWithin(Prisma.sql`"closedAt"`, day),
      order: Prisma.sql`"closedAt", "id"`,
      limit: TRIPS_MOST,
    }),
    countDayTrades(context, ids),
  ]);
  const tradeOf = ({ id, ...row }: (typeof working)[number]) => ({ tradeId: id, ...row });
  return {
    fills: fills.map((fill) => ({ ...fill, value: text(fill.value) })),
    slippageBps,
    rejected: [...rejected.map(tradeOf), ...refused.map((row) => ({ tradeId: null, ...row }))],
    working: working.map(tradeOf),
    trips: trips.map(({ symbol, pnl, outcome, exitReason, exitTradeId }) => ({
      symbol,
      pnl: text(pnl.toString()),
      outcome,
      exitReason,
      tradeId: exitTradeId,
    })),
    dayTrades: { count, ...windowOf(accounts, session) },
  };
}

/** The sessions that day trades are counted over, as of the latest reading. */
function windowOf(
  accounts: BriefScope["accounts"],
  session: SessionDate,
): { firstSession: SessionDate; lastSession: SessionDate } {
  const dates = accounts.flatMap(({ figures }) => (figures?.asOf ? [newYork(figures.asOf).date] : []));
  const date = dates.reduce((latest, each) => (each > latest ? each : latest), session);
  const lastSession = isSession(date) ? date : previousSession(date);
  return { firstSession: addSessions(lastSession, 1 - DAY_TRADE_SESSIONS), lastSession };
}
