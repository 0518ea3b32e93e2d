import type {
  AccountState,
  HeldPosition,
  OpenOrderView,
  PositionReview,
  StrategyName,
} from "@/lib/domain/engine/plan.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { BOOK_RETURNS, bookVolatility } from "@/lib/domain/metrics.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import { MINUTE_MS, newYork, newYorkInstant, type Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { stricterKillState } from "../automation/kill-strictness.ts";
import { readStarts } from "../equity/read-starts.ts";
import { isFlagOn } from "../flags/read-flags.ts";
import { protectedQuantity } from "../orders/protected-quantity.ts";
import { countDayTrades } from "../portfolio/count-day-trades.ts";
import { unwrittenClose } from "../portfolio/read-pnl.ts";

/** Round trips of a stop count for the cooldown and the stop guard over this many calendar days (10 sessions). */
const STOP_OUT_DAYS = 16;

/** The Kelly bound looks at the latest round trips: the cost of a decision does not grow with history. */
const TRIPS_FOR_KELLY = 500;

/** Balances as the broker states them at the moment of the decision. */
export interface BrokerBalances {
  equity: DecimalText;
  lastEquity: DecimalText;
  cash: DecimalText;
  buyingPower: DecimalText;
}

/** Everything `decide` reads about one account, from Postgres, with balances fresh from the broker. */
export async function loadAccountState(
  context: Context,
  accountId: string,
  balances: BrokerBalances,
  at: Instant,
): Promise<AccountState> {
  const { db } = context;
  const now = new Date(at);
  const dayStart = new Date(newYorkInstant(newYork(at).date, 0, 0));
  const [account, system, positions, orders, intents, stops, trips, sent, isEnabled] = await Promise.all([
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
        exitReason: "protective_stop",
        closedAt: { gte: new Date(now.getTime() - STOP_OUT_DAYS * 24 * 60 * MINUTE_MS), lte: now },
      },
      select: { symbol: true, closedAt: true },
      orderBy: { closedAt: "asc" },
    }),
    db.roundTrip.findMany({
      where: { accountId, closedAt: { not: null } },
      select: { pnl: true, outcome: true, entryValue: true },
      orderBy: { closedAt: "desc" },
      take: TRIPS_FOR_KELLY,
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
  ]);
  const covered = await protectedQuantity(db, accountId);
  const preferences = account.user.tradingPreferences;
  if (!preferences) throw new Error(`user ${account.userId} has no trading preferences`);

  return {
    accountId,
    environment: account.environment,
    status: account.deletedAt ? "INACTIVE" : account.status,
    hasKeys: account.sealedKeys !== null,
    automationOff: account.user.automationPausedAt
      ? (account.user.pausedReason ?? "paused by you")
      : !isEnabled
        ? "automation_enabled is off"
        : null,
    killState: stricterKillState(account.killState, system.killState),
    haltReason: account.haltReason,
    preferences: {
      strategy: preferences.strategy,
      riskTolerance: preferences.riskTolerance,
      riskLevel: preferences.riskLevel,
      paperTradingOnly: preferences.paperTradingOnly,
      defaultOrderSize: text(preferences.defaultOrderSize.toString()),
      maxPositions: preferences.maxPositions,
      maxPositionValue: text(preferences.maxPositionValue.toString()),
      profitTarget: text(preferences.profitTarget.toString()),
      stopLoss: text(preferences.stopLoss.toString()),
      checkInterval: preferences.checkInterval,
    },
    ...balances,
    lastEquity: await equityBeforeToday(context, accountId, balances.lastEquity, now),
    highWaterMark: text((account.figures?.highWaterMark ?? balances.equity).toString()),
    positions: positions.map((row) => heldPosition(row, text(covered.get(row.symbol) ?? 0))),
    openOrders: openOrders(orders, intents),
    stopOuts: stops.map((row) => ({ symbol: row.symbol, session: newYork(row.closedAt ?? now).date })),
    ordersLastMinute: sent.filter((row) => now.getTime() - row.decidedAt.getTime() < MINUTE_MS).length,
    ordersToday: sent.length,
    dayTrades: await countDayTrades(context, [accountId]),
    trips: tripStatistics(trips),
    bookVolatility: await readBookVolatility(context, accountId),
  };
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
    review: { ...EMPTY_REVIEW, ...(row.review as unknown as Partial<PositionReview>) },
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

/** Returns of closed round trips for the Kelly bound, as fractions of the entry. */
function tripStatistics(
  trips: { pnl: { toString(): string }; outcome: string | null; entryValue: { toString(): string } }[],
): AccountState["trips"] {
  const returns = trips.flatMap((trip) => {
    const entry = money(trip.entryValue);
    return entry.gt(0) ? [{ outcome: trip.outcome, value: money(trip.pnl).div(entry).toNumber() }] : [];
  });
  const mean = (values: number[]) =>
    values.length > 0 ? values.reduce((total, value) => total + value, 0) / values.length : null;
  const wins = returns.filter((trip) => trip.outcome === "WIN").map((trip) => trip.value);
  const losses = returns.filter((trip) => trip.outcome === "LOSS").map((trip) => trip.value);
  return { count: trips.length, wins: wins.length, meanWin: mean(wins), meanLoss: mean(losses) };
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
