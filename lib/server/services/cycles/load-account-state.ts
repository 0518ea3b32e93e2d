import type { AccountState, HeldPosition, OpenOrderView, PositionReview } from "@/lib/domain/engine/plan.ts";
import type { MarketName, StrategyName } from "@/lib/domain/enums.ts";
import { riskMultiple, tripRecord, TRIPS_KEPT, type TripRecord } from "@/lib/domain/kelly.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { BOOK_RETURNS, bookVolatility } from "@/lib/domain/metrics.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import { STOP_EXITS } from "@/lib/domain/risk/stop-out.ts";
import { addDays, MINUTE_MS, newYork, newYorkInstant, type Instant } from "@/lib/domain/time.ts";
import { reviewOf } from "../../core/json.ts";
import { preferencesView } from "../../core/preferences-view.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
import { strictestKillState } from "../../../domain/kill-strictness.ts";
import { readStarts } from "../equity/read-starts.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { countDayTrades } from "../equity/count-day-trades.ts";
import { unwrittenClose } from "../equity/read-pnl.ts";

/** Stop-outs count for the cooldown and the stop guard over this many calendar days (20 sessions and more). */
const STOP_OUT_DAYS = 31;
/** As far back as the policy may look for sales at a loss. */
const LOSS_SALE_DAYS = 60;

/** Balances as the broker states them at the moment of the decision. */
export interface BrokerBalances {
  equity: DecimalText;
  lastEquity: DecimalText;
  cash: DecimalText;
  buyingPower: DecimalText;
}

/** The account's rows that a decision looks at, in one round of queries. */
async function readRows({ db }: Context, accountId: string, now: Date) {
  const dayStart = new Date(newYorkInstant(newYork(now).date, 0, 0));
  const [account, system, positions, orders, intents, stops, sent, isEnabled, symbolStops, byHand] = await Promise.all([
    db.account.findUniqueOrThrow({
      where: { id: accountId },
      include: { user: { include: { tradingPreferences: true } }, figures: true },
    }),
    db.systemState.findUniqueOrThrow({ where: { id: 1 } }),
    db.position.findMany({ where: { accountId }, orderBy: { symbol: "asc" } }),
    db.order.findMany({
      where: { accountId, status: { in: [...WORKING_STATUSES] } },
      orderBy: { clientOrderId: "asc" },
      include: { intent: { select: { strategy: true } } },
    }),
    db.intent.findMany({
      where: { accountId, status: { in: [...IN_FLIGHT_INTENTS] } },
      include: { orders: { select: { id: true } } },
    }),
    db.roundTrip.findMany({
      where: {
        accountId,
        exitReason: { in: [...STOP_EXITS] },
        outcome: "LOSS",
        closedAt: { gte: new Date(now.getTime() - STOP_OUT_DAYS * 24 * 60 * MINUTE_MS), lte: now },
      },
      select: { symbol: true, closedAt: true },
      orderBy: { closedAt: "asc" },
    }),
    db.intent.findMany({
      where: {
        accountId,
        decidedAt: { gte: dayStart, lte: now },
        status: { notIn: ["PLANNED", "GATED", "DENIED", "HALTED"] },
      },
      select: { decidedAt: true },
    }),
    isFlagOn({ db }, "automation_enabled"),
    db.symbolStop.findMany({ orderBy: { symbol: "asc" } }),
    db.intent.findMany({
      where: {
        accountId,
        purpose: "MANUAL",
        decidedAt: { gte: dayStart, lte: now },
        status: { notIn: ["PLANNED", "GATED", "DENIED", "HALTED", "REJECTED"] },
      },
      select: { symbol: true },
      distinct: ["symbol"],
      orderBy: { symbol: "asc" },
    }),
  ]);
  return { account, system, positions, orders, intents, stops, sent, isEnabled, symbolStops, byHand };
}

type Rows = Awaited<ReturnType<typeof readRows>>;

function preferencesOf({ userId, user }: Rows["account"]): AccountState["preferences"] {
  const preferences = user.tradingPreferences;
  if (!preferences) throw new Error(`user ${userId} has no trading preferences`);
  return preferencesView(preferences);
}

/** Everything `decide` reads about one account, from Postgres, with balances fresh from the broker. */
export async function loadAccountState(
  context: Context,
  accountId: string,
  balances: BrokerBalances,
  at: Instant,
): Promise<AccountState> {
  const now = new Date(at);
  const rows = await readRows(context, accountId, now);
  const { account, system, sent } = rows;
  const stoppedSymbols = rows.symbolStops.filter(({ market }) => market === account.market).map(({ symbol }) => symbol);
  const covered = await protectedQuantity(context.db, accountId);
  const preferences = preferencesOf(account);
  return {
    accountId,
    environment: account.environment,
    status: account.deletedAt ? "INACTIVE" : account.status,
    hasKeys: account.sealedKeys !== null,
    automationOff: whyOff(account.user, rows.isEnabled),
    killState: strictestKillState(account.killState, account.user.killState, system.killState),
    // Absent where there is none, as in every record from before symbols could be stopped.
    ...(stoppedSymbols.length === 0 ? {} : { stoppedSymbols }),
    haltReason: account.haltReason,
    preferences,
    ...balances,
    lastEquity: await equityBeforeToday(context, accountId, balances.lastEquity, now),
    highWaterMark: text((account.figures?.highWaterMark ?? balances.equity).toString()),
    positions: rows.positions.map((row) => heldPosition(row, text(covered.get(row.symbol) ?? 0))),
    openOrders: openOrders(rows.orders, rows.intents),
    stopOuts: rows.stops.map((row) => ({ symbol: row.symbol, session: newYork(row.closedAt ?? now).date })),
    // Absent where there is none, as in every record from before owners could sell by hand.
    ...(rows.byHand.length === 0 ? {} : { soldByHand: rows.byHand.map(({ symbol }) => symbol) }),
    lossSales: await readLossSales(context, account, now),
    ordersLastMinute: sent.filter((row) => now.getTime() - row.decidedAt.getTime() < MINUTE_MS).length,
    ordersToday: sent.length,
    dayTrades: await countDayTrades(context, [accountId]),
    trips: await readTripRecord(context, accountId, preferences.strategy),
    bookVolatility: await readBookVolatility(context, accountId),
  };
}

/** Why nothing is bought for the person; null when automation runs. */
function whyOff(
  user: { disabledAt: Date | null; automationPausedAt: Date | null; pausedReason: string | null },
  isEnabled: boolean,
): string | null {
  if (user.disabledAt !== null) return "the user is disabled by an administrator";
  if (user.automationPausedAt !== null) return user.pausedReason ?? "paused by you";
  return isEnabled ? null : "switched off for everyone";
}

/**
 * The latest sale at a loss of each symbol in any account of the person, deleted ones included, within one market: another
 * market has another calendar, and losses of the practice market are not real.
 */
async function readLossSales(
  { db }: Context,
  { userId, market }: { userId: string; market: MarketName },
  now: Date,
): Promise<AccountState["lossSales"]> {
  const from = new Date(newYorkInstant(addDays(newYork(now).date, -LOSS_SALE_DAYS), 0, 0));
  const rows = await db.$queryRaw<{ symbol: string; at: Date }[]>`
    select sale."symbol", max(sale."at") as "at"
    from "Account" owned
    join "Fill" sale on sale."accountId" = owned."id"
    join "LotClosure" closed on closed."fillId" = sale."id"
    where owned."userId" = ${userId}::uuid and owned."market" = ${market}::"Market"
      and sale."side" = 'SELL' and sale."at" >= ${from} and sale."at" <= ${now} and closed."realizedPnl" < 0
    group by sale."symbol"
    order by sale."symbol"`;
  return rows.map(({ symbol, at }) => ({ symbol, session: newYork(at).date }));
}

/**
 * Equity at the prior close with the money that came or went since, in USD: a deposit hides no loss of the day, and a
 * withdrawal is none. As the broker states it where it does not speak of a close at which the account was ours.
 */
async function equityBeforeToday(
  { db }: Context,
  accountId: string,
  lastEquity: DecimalText,
  asOf: Date,
): Promise<DecimalText> {
  const start = (await readStarts(db, [accountId])).get(accountId) ?? null;
  const close = await unwrittenClose(db, { accountId, asOf, lastEquity, netDeposits: "0" }, start, null);
  return close === null || close.equity.lte(0) ? lastEquity : text(close.equity.minus(close.netDeposits));
}

type PositionRow = Awaited<ReturnType<Context["db"]["position"]["findMany"]>>[number];
type OrderRow = Awaited<ReturnType<Context["db"]["order"]["findMany"]>>[number] & {
  intent: { strategy: StrategyName | null } | null;
};
type IntentRow = Awaited<ReturnType<Context["db"]["intent"]["findMany"]>>[number] & { orders: { id: string }[] };

const EMPTY_REVIEW: PositionReview = {
  highestClose: null,
  entryAtr: null,
  weakReviews: 0,
  belowTrend: 0,
  reviewedSession: null,
};

function heldPosition(row: PositionRow, protectedQty: DecimalText): HeldPosition {
  return {
    symbol: row.symbol,
    qty: text(row.qty.toString()),
    avgEntryPrice: text(row.avgEntryPrice.toString()),
    strategy: row.strategy,
    openedSession: newYork(row.openedAt).date,
    stopPrice: row.stopPrice === null ? null : text(row.stopPrice.toString()),
    targetPrice: row.targetPrice === null ? null : text(row.targetPrice.toString()),
    review: { ...EMPTY_REVIEW, ...reviewOf(row) },
    protectedQty,
  };
}

/** Orders at the broker, and intents that may have become orders without our knowing: their risk counts as used. */
function openOrders(orders: OrderRow[], intents: IntentRow[]): OpenOrderView[] {
  const ofOrders = orders.map((order) => ({
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    role: order.role as string,
    strategy: order.intent?.strategy ?? null,
    qty: text((order.qty ?? 0).toString()),
    filledQty: text(order.filledQty.toString()),
    limitPrice: order.limitPrice === null ? null : text(order.limitPrice.toString()),
    isStop: ["STOP", "STOP_LIMIT", "TRAILING_STOP"].includes(order.type),
    submittedAt: order.submittedAt.toISOString(),
  }));
  const ofIntents = intents
    .filter((intent) => intent.orders.length === 0)
    .map((intent) => ({
      clientOrderId: intent.clientOrderId,
      symbol: intent.symbol,
      side: intent.side,
      role: intent.purpose === "ENTRY" ? "ENTRY" : "EXIT",
      strategy: intent.strategy,
      qty: text(intent.qty.toString()),
      filledQty: "0",
      limitPrice: intent.limitPrice === null ? null : text(intent.limitPrice.toString()),
      submittedAt: intent.decidedAt.toISOString(),
    }));
  return [...ofOrders, ...ofIntents].sort((a, b) => (a.clientOrderId < b.clientOrderId ? -1 : 1));
}

/**
 * R of the latest closed round trips of a strategy, and how many there are: the initial risk is what each buy would have lost
 * at the stop that was decided with it. A trip with a buy that has no such stop is left out, and counted as such. The cost
 * of a decision does not grow with history.
 */
async function readTripRecord(
  { db }: Context,
  accountId: string,
  strategy: TripRecord["strategy"],
): Promise<TripRecord> {
  const [rows, total] = await Promise.all([
    db.$queryRaw<{ pnl: Prisma.Decimal; risk: Prisma.Decimal | null }[]>`
      select trip."pnl", (
        select case when bool_and(decided."stopLossPrice" is not null)
          then sum((buy."price" - decided."stopLossPrice") * buy."qty") end
        from "Fill" buy
        join "Order" sent on sent."id" = buy."orderId"
        left join "Intent" decided on decided."id" = sent."intentId"
        where buy."accountId" = trip."accountId" and buy."symbol" = trip."symbol" and buy."side" = 'BUY'
          and buy."at" >= trip."openedAt" and buy."at" <= trip."closedAt"
      ) as "risk"
      from "RoundTrip" trip
      where trip."accountId" = ${accountId}::uuid and trip."strategy" = ${strategy}::"Strategy"
        and trip."closedAt" is not null
      order by trip."closedAt" desc, trip."id" desc
      limit ${TRIPS_KEPT}`,
    db.roundTrip.count({ where: { accountId, strategy, closedAt: { not: null } } }),
  ]);
  const multiples = rows.map(({ pnl, risk }) => (risk === null ? null : riskMultiple(money(pnl), money(risk))));
  const record = tripRecord(strategy, multiples.reverse());
  return { ...record, count: total - record.unrated };
}

/** The volatility of the account's book from its closing points, flows taken out; null when younger. */
async function readBookVolatility({ db }: Context, accountId: string): Promise<number | null> {
  const points = await db.equityPoint.findMany({
    where: { accountId, isClose: true },
    orderBy: { at: "desc" },
    take: BOOK_RETURNS + 1,
    select: { equity: true, netDeposits: true, sessionDate: true },
  });
  const ascending = points.reverse();
  const returns = ascending.slice(1).map((point, index) => {
    const before = ascending[index];
    if (!before) throw new Error(`no point before ${sessionOf(point.sessionDate)}`);
    const flow = money(point.netDeposits).minus(money(before.netDeposits));
    return money(point.equity).minus(flow).div(money(before.equity)).toNumber() - 1;
  });
  return bookVolatility(returns);
}
