import { BOOK_RETURNS } from "@/lib/domain/metrics.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { TRIPS_KEPT } from "@/lib/domain/kelly.ts";
import { previousSession } from "@/lib/domain/market-calendar.ts";
import { STOP_EXITS } from "@/lib/domain/risk/stop-out.ts";
import { addDays, MINUTE_MS, newYork, newYorkInstant } from "@/lib/domain/time.ts";
import { byAccount } from "../../core/by-account.ts";
import { sideBySide, type Together } from "../../core/together.ts";
import type { Prisma, Tx } from "../../db.ts";
import { readDayTrades } from "../equity/count-day-trades.ts";
import { readFlowsAfter } from "../equity/flows-after.ts";
import { readStarts } from "../equity/read-starts.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { readResting } from "../orders/protected-quantity.ts";

/** Stop-outs count for the cooldown and the stop guard over this many calendar days (20 sessions and more). */
const STOP_OUT_DAYS = 31;
/** As far back as the policy may look for sales at a loss. */
const LOSS_SALE_DAYS = 60;

type AccountRow = Prisma.AccountGetPayload<{
  include: { user: { include: { tradingPreferences: true } }; figures: true };
}>;

interface Source {
  db: Tx;
  together?: Together;
}

/** One account's part of what was read. */
export type AccountRows = ReturnType<Awaited<ReturnType<typeof readAccountRows>>>;

/**
 * Everything of these accounts that decisions look at: the same statements for one account and for many. Answers each
 * account's part; asked for an account that there is not, it throws.
 */
export async function readAccountRows({ db, together = sideBySide }: Source, accountIds: readonly string[], now: Date) {
  const accounts = await db.account.findMany({
    where: { id: { in: [...accountIds] } },
    include: { user: { include: { tradingPreferences: true } }, figures: true },
  });
  const found = new Map(accounts.map((account) => [account.id, account]));
  const [shared, books, history] = await together(
    () => readShared({ db, together }),
    () => readBooks({ db, together }, accountIds, now),
    () => readHistory({ db, together }, accounts, now),
  );
  return (accountId: string) => {
    const account = found.get(accountId);
    if (account === undefined) throw new Error(`there is no account ${accountId} to decide for`);
    return { account, ...shared, ...books(accountId), ...history(accountId) };
  };
}

/** What holds for all accounts. */
async function readShared({ db, together }: Required<Source>) {
  const [system, isEnabled, symbolStops] = await together(
    () => db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    () => isFlagOn({ db }, "automation_enabled"),
    () => db.symbolStop.findMany({ orderBy: { symbol: "asc" } }),
  );
  return { system, isEnabled, symbolStops };
}

/** What is held and what is under way now. */
async function readBooks({ db, together }: Required<Source>, accountIds: readonly string[], now: Date) {
  const accountId = { in: [...accountIds] };
  const dayStart = new Date(newYorkInstant(newYork(now).date, 0, 0));
  const [positions, orders, intents, sent, resting] = await together(
    () => db.position.findMany({ where: { accountId }, orderBy: { symbol: "asc" } }),
    () =>
      db.order.findMany({
        where: { accountId, status: { in: [...WORKING_STATUSES] } },
        orderBy: { clientOrderId: "asc" },
        include: { intent: { select: { strategy: true } } },
      }),
    () =>
      db.intent.findMany({
        where: { accountId, status: { in: [...IN_FLIGHT_INTENTS] } },
        include: { orders: { select: { id: true } } },
      }),
    () =>
      db.intent.findMany({
        where: {
          accountId,
          decidedAt: { gte: dayStart, lte: now },
          status: { notIn: ["PLANNED", "GATED", "DENIED", "HALTED"] },
        },
        select: { accountId: true, decidedAt: true, purpose: true, status: true, symbol: true },
        orderBy: { symbol: "asc" },
      }),
    () => readResting(db, accountIds),
  );
  const [positionsOf, ordersOf] = [byAccount(positions), byAccount(orders)];
  const [intentsOf, sentOf] = [byAccount(intents), byAccount(sent)];
  return (id: string) => ({
    positions: positionsOf(id),
    orders: ordersOf(id),
    intents: intentsOf(id),
    /** Of today, by symbol. */
    sent: sentOf(id),
    covered: resting.covered(id),
  });
}

/** What happened before. */
async function readHistory({ db, together }: Required<Source>, accounts: readonly AccountRow[], now: Date) {
  const ids = accounts.map(({ id }) => id);
  const [stops, lossSales, dayTrades, trips, closes, starts, flows] = await together(
    () =>
      db.roundTrip.findMany({
        where: {
          accountId: { in: ids },
          exitReason: { in: [...STOP_EXITS] },
          outcome: "LOSS",
          closedAt: { gte: new Date(now.getTime() - STOP_OUT_DAYS * 24 * 60 * MINUTE_MS), lte: now },
        },
        select: { accountId: true, symbol: true, closedAt: true },
        orderBy: { closedAt: "asc" },
      }),
    () => readLossSales(db, accounts, now),
    () =>
      readDayTrades(
        { db },
        accounts.flatMap(({ id, figures }) => (figures ? [{ accountId: id, asOf: figures.asOf }] : [])),
      ),
    () => readTrips(db, accounts),
    () => readCloses(db, ids),
    () => readStarts(db, ids),
    () => readFlowsAfter(db, ids, previousSession(newYork(now).date)),
  );
  const [stopsOf, lossSalesOf, tripsOf, closesOf] = [
    byAccount(stops),
    byAccount(lossSales),
    byAccount(trips),
    byAccount(closes),
  ];
  return (id: string) => ({
    stops: stopsOf(id),
    lossSales: lossSalesOf(id),
    dayTrades: dayTrades.get(id) ?? 0,
    trips: tripsOf(id),
    closes: closesOf(id),
    start: starts.get(id) ?? null,
    /** After the session before; null for none. */
    flows: flows.get(id) ?? null,
  });
}

/**
 * The latest sale at a loss of each symbol in any account of the person, deleted ones included, within one market: another
 * market has another calendar, and losses of the practice market are not real.
 */
function readLossSales(db: Tx, accounts: readonly AccountRow[], now: Date) {
  const from = new Date(newYorkInstant(addDays(newYork(now).date, -LOSS_SALE_DAYS), 0, 0));
  return db.$queryRaw<{ accountId: string; symbol: string; at: Date }[]>`
    select asked."id" as "accountId", sale."symbol", max(sale."at") as "at"
    from unnest(${accounts.map(({ id }) => id)}::uuid[]) as w("id")
    join "Account" asked on asked."id" = w."id"
    join "Account" owned on owned."userId" = asked."userId" and owned."market" = asked."market"
    join "Fill" sale on sale."accountId" = owned."id"
    join "LotClosure" closed on closed."fillId" = sale."id"
    where sale."side" = 'SELL' and sale."at" >= ${from} and sale."at" <= ${now} and closed."realizedPnl" < 0
    group by asked."id", sale."symbol"
    order by asked."id", sale."symbol"`;
}

interface TripRow {
  accountId: string;
  pnl: Prisma.Decimal;
  /** What its buys would have lost at the stops decided with them; null where one has no such stop. */
  risk: Prisma.Decimal | null;
  /** Closed trips of the strategy in all. */
  total: bigint;
}

/** The latest closed round trips of each account in its strategy, the last first: a decision's cost does not grow with history. */
function readTrips(db: Tx, accounts: readonly AccountRow[]) {
  const asked = accounts.flatMap(({ id, user }) =>
    user.tradingPreferences === null ? [] : [{ id, strategy: user.tradingPreferences.strategy }],
  );
  return db.$queryRaw<TripRow[]>`
    select w."id" as "accountId", trip."pnl", trip."total", (
      select case when bool_and(decided."stopLossPrice" is not null)
        then sum((buy."price" - decided."stopLossPrice") * buy."qty") end
      from "Fill" buy
      join "Order" sent on sent."id" = buy."orderId"
      left join "Intent" decided on decided."id" = sent."intentId"
      where buy."accountId" = w."id" and buy."symbol" = trip."symbol" and buy."side" = 'BUY'
        and buy."at" >= trip."openedAt" and buy."at" <= trip."closedAt"
    ) as "risk"
    from unnest(${asked.map(({ id }) => id)}::uuid[], ${asked.map(({ strategy }) => strategy)}::text[]) as w("id", "strategy")
    cross join lateral (
      select t."id", t."symbol", t."openedAt", t."closedAt", t."pnl", count(*) over () as "total" from "RoundTrip" t
      where t."accountId" = w."id" and t."strategy" = w."strategy"::"Strategy" and t."closedAt" is not null
      order by t."closedAt" desc, t."id" desc limit ${TRIPS_KEPT}) trip
    order by w."id", trip."closedAt" desc, trip."id" desc`;
}

interface CloseRow {
  accountId: string;
  sessionDate: Date;
  equity: Prisma.Decimal;
  netDeposits: Prisma.Decimal;
}

/** The latest closing points of each account, ascending. */
const readCloses = (db: Tx, accountIds: readonly string[]) =>
  db.$queryRaw<CloseRow[]>`
    select w."id" as "accountId", p."sessionDate", p."equity", p."netDeposits"
    from unnest(${[...accountIds]}::uuid[]) as w("id") cross join lateral (
      select "at", "sessionDate", "equity", "netDeposits" from "EquityPoint"
      where "accountId" = w."id" and "isClose" order by "at" desc limit ${BOOK_RETURNS + 1}) p
    order by w."id", p."at"`;
