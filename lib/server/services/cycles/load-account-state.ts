import type { AccountState, HeldPosition, OpenOrderView, PositionReview } from "@/lib/domain/engine/plan.ts";
import { riskMultiple, tripRecord, type TripRecord } from "@/lib/domain/kelly.ts";
import { bookVolatility } from "@/lib/domain/metrics.ts";
import { money, text, type DecimalText } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { MINUTE_MS, newYork, type Instant } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { reviewOf } from "../../core/json.ts";
import { preferencesView } from "../../core/preferences-view.ts";
import type { Broker } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { decimalTextOrNull } from "../../rows.ts";
import { strictestKillState } from "@/lib/domain/kill-strictness.ts";
import { dayTradesIn } from "../equity/count-day-trades.ts";
import { unwrittenSession } from "../equity/read-pnl.ts";
import { isRefusalOfOrder } from "../orders/record-outcome.ts";
import { coveredBy } from "../orders/protected-quantity.ts";
import { type AccountRows, readAccountRows } from "./account-rows.ts";

/** Balances as the broker states them at the moment of the decision. */
export interface BrokerBalances {
  equity: DecimalText;
  lastEquity: DecimalText;
  cash: DecimalText;
  buyingPower: DecimalText;
}

/** The account's balances, fresh from its broker. */
export async function readBalances(broker: Broker): Promise<BrokerBalances> {
  const { equity, lastEquity, cash, buyingPower } = await broker.account();
  return { equity, lastEquity, cash, buyingPower };
}

/** Everything `decide` reads about one account, from Postgres, with balances fresh from the broker. */
export async function loadAccountState(
  context: Pick<Context, "db">,
  accountId: string,
  balances: BrokerBalances,
  { at, policy }: { at: Instant; policy: Policy },
): Promise<AccountState> {
  const now = new Date(at);
  return stateOf((await readAccountRows(context.db, [accountId], now, policy))(accountId), balances, now);
}

/** The state that an account's rows and balances make. Throws where its rows make none. */
export function stateOf(rows: AccountRows, balances: BrokerBalances, now: Date): AccountState {
  if (!rows.hasPreferences) throw new Error(`user ${rows.userId} has no trading preferences`);
  const { sent } = rows;
  const stoppedSymbols = rows.stoppedSymbols.map(({ symbol }) => symbol);
  const preferences = preferencesView(rows);
  const soldByHand = symbolsOf(sent, ({ purpose, status }) => purpose === "MANUAL" && status !== "REJECTED");
  const refusedByBroker = symbolsOf(
    sent,
    ({ purpose, status, lastError }) => purpose === "ENTRY" && status === "REJECTED" && isRefusalOfOrder(lastError),
  );
  const covered = coveredBy(rows.resting);
  return {
    accountId: rows.id,
    environment: rows.environment,
    status: rows.isRemoved ? "INACTIVE" : rows.status,
    hasKeys: rows.hasKeys,
    automationOff: whyOff(rows),
    killState: strictestKillState(rows.killState, rows.userKillState, rows.systemKillState),
    // Absent where there is none, as in every record from before symbols could be stopped.
    ...(stoppedSymbols.length === 0 ? {} : { stoppedSymbols }),
    haltReason: rows.haltReason,
    preferences,
    ...balances,
    lastEquity: equityBeforeToday(rows, balances.lastEquity, now),
    highWaterMark: text((rows.highWaterMark ?? balances.equity).toString()),
    positions: rows.positions.map((row) => heldPosition(row, text(covered.get(row.symbol) ?? 0))),
    openOrders: openOrders(rows),
    stopOuts: rows.stops.map((row) => ({ symbol: row.symbol, session: newYork(row.closedAt).date })),
    // Both absent where there is none, as in every record from before.
    ...(soldByHand.length === 0 ? {} : { soldByHand }),
    ...(refusedByBroker.length === 0 ? {} : { refusedByBroker }),
    lossSales: rows.lossSales.map(({ symbol, at }) => ({ symbol, session: newYork(at).date })),
    ordersLastMinute: sent.filter((row) => now.getTime() - Date.parse(row.decidedAt) < MINUTE_MS).length,
    ordersToday: sent.length,
    dayTrades: dayTradesIn(rows.recentFills, rows.asOf),
    trips: tripRecordOf(rows.trips, preferences.strategy),
    bookVolatility: volatilityOf(rows.closes),
  };
}

/** Why nothing is bought for the person; null when automation runs. */
function whyOff({ isUserDisabled, isPaused, pausedReason, isEnabled }: AccountRows): string | null {
  if (isUserDisabled) return "the user is disabled by an administrator";
  if (isPaused) return pausedReason ?? "paused by you";
  return isEnabled ? null : "switched off for everyone";
}

/** Symbols of those of today's intents, each once. */
function symbolsOf(sent: AccountRows["sent"], isOne: (intent: AccountRows["sent"][number]) => boolean): string[] {
  return [...new Set(sent.filter(isOne).map(({ symbol }) => symbol))];
}

/**
 * Equity at the prior close with the money that came or went since, in USD: a deposit hides no loss of the day, and a
 * withdrawal is none. As the broker states it where it does not speak of a close at which the account was ours.
 */
function equityBeforeToday({ start, flows }: AccountRows, lastEquity: DecimalText, asOf: Date): DecimalText {
  const [first, after] = [start[0], flows[0]];
  const begun = first ? { at: new Date(first.at), earned: money(first.earned) } : null;
  if (unwrittenSession(asOf, begun, null) === null || money(lastEquity).lte(0)) return lastEquity;
  return text(money(lastEquity).plus(money(after?.sum ?? 0)));
}

const EMPTY_REVIEW: PositionReview = {
  highestClose: null,
  entryAtr: null,
  weakReviews: 0,
  belowTrend: 0,
  reviewedSession: null,
};

function heldPosition(row: AccountRows["positions"][number], protectedQty: DecimalText): HeldPosition {
  return {
    symbol: row.symbol,
    qty: text(row.qty),
    avgEntryPrice: text(row.avgEntryPrice),
    strategy: row.strategy,
    openedSession: newYork(row.openedAt).date,
    stopPrice: decimalTextOrNull(row.stopPrice),
    targetPrice: decimalTextOrNull(row.targetPrice),
    review: { ...EMPTY_REVIEW, ...reviewOf(row) },
    // Absent where there is none, as in every record from before.
    ...(row.splitBookedOn === null ? {} : { splitBookedOn: row.splitBookedOn }),
    protectedQty,
  };
}

/** Orders at the broker, and intents that may have become orders without our knowing: their risk counts as used. */
function openOrders({ orders, intents }: AccountRows): OpenOrderView[] {
  const ofOrders = orders.map((order) => ({
    clientOrderId: order.clientOrderId,
    symbol: order.symbol,
    side: order.side,
    role: order.role as string,
    strategy: order.strategy,
    qty: text(order.qty ?? "0"),
    filledQty: text(order.filledQty),
    limitPrice: decimalTextOrNull(order.limitPrice),
    isStop: ["STOP", "STOP_LIMIT", "TRAILING_STOP"].includes(order.type),
    ...(order.side === "BUY" && order.isOfRotation ? { isRotation: true as const } : {}),
    submittedAt: new Date(order.submittedAt).toISOString(),
  }));
  const ofIntents = intents.map((intent) => ({
    clientOrderId: intent.clientOrderId,
    symbol: intent.symbol,
    side: intent.side,
    role: intent.purpose === "ENTRY" ? "ENTRY" : "EXIT",
    strategy: intent.strategy,
    qty: text(intent.qty),
    filledQty: "0",
    limitPrice: decimalTextOrNull(intent.limitPrice),
    isUnconfirmed: true as const,
    submittedAt: new Date(intent.decidedAt).toISOString(),
  }));
  return [...ofOrders, ...ofIntents].sort((a, b) => byText(a.clientOrderId, b.clientOrderId));
}

/**
 * R of the latest closed round trips of a strategy, and how many there are: the initial risk is what each buy would have lost
 * at the stop that was decided with it. A trip with a buy that has no such stop is left out, and counted as such.
 */
function tripRecordOf(latest: AccountRows["trips"], strategy: TripRecord["strategy"]): TripRecord {
  const multiples = latest.map(({ pnl, risk }) => (risk === null ? null : riskMultiple(money(pnl), money(risk))));
  const record = tripRecord(strategy, multiples.reverse());
  return { ...record, count: (latest[0]?.total ?? 0) - record.unrated };
}

/**
 * The volatility of the account's book from its closing points, flows taken out; null when younger. A book begins after the last
 * close without equity: there is no return on nothing, and what was held before is another book.
 */
function volatilityOf(closes: AccountRows["closes"]): number | null {
  const book = closes.slice(closes.findLastIndex(({ equity }) => money(equity).lte(0)) + 1);
  const returns = book.slice(1).map((point, index) => {
    const before = book[index];
    if (!before) throw new Error(`no point before ${point.sessionDate}`);
    const flow = money(point.netDeposits).minus(money(before.netDeposits));
    return money(point.equity).minus(flow).div(money(before.equity)).toNumber() - 1;
  });
  return bookVolatility(returns);
}
