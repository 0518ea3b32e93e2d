import { BOOK_RETURNS } from "@/lib/domain/metrics.ts";
import { IN_FLIGHT_INTENTS, WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { TRIPS_KEPT } from "@/lib/domain/kelly.ts";
import { stopOutDays } from "@/lib/domain/look-back.ts";
import { previousSession } from "@/lib/domain/market-calendar.ts";
import type { DecimalText } from "@/lib/domain/money.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { PREFERENCE_NAMES } from "@/lib/domain/preferences.ts";
import { STOP_EXITS } from "@/lib/domain/risk/stop-out.ts";
import { addDays, DAY_MS, newYork, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import { listOf } from "../../core/list-of.ts";
import type { preferencesView } from "../../core/preferences-view.ts";
import type { Account, Intent, Order } from "../../core/row-types.ts";
import { Prisma, type Tx } from "../../db.ts";
import { type DatedFill, fillsBefore } from "../equity/count-day-trades.ts";
import { sumOfFlows } from "../equity/flows-after.ts";
import { firstPointOf } from "../equity/read-starts.ts";
import { flagIsOn } from "../flags/read-flags.ts";
import { type RestingSale, restingSalesOf } from "../orders/protected-quantity.ts";

/** As far back as a split is told: bars of the session before it are the last ones on its day. */
const SPLIT_DAYS = 7;

/** As far back as the policy may look for sales at a loss. */
const LOSS_SALE_DAYS = 60;

type KillState = Account["killState"];
/** A time of the database in a list. */
type TimeText = string;

/** Everything of one account that decisions look at. */
export type AccountRows = Pick<Account, "id" | "environment" | "status" | "market" | "killState" | "haltReason"> & {
  isRemoved: boolean;
  hasKeys: boolean;
  userId: string;
  isUserDisabled: boolean;
  isPaused: boolean;
  pausedReason: string | null;
  userKillState: KillState;
  systemKillState: KillState;
  /** The automation of all accounts. */
  isEnabled: boolean;
  hasPreferences: boolean;
  /** Market time of the latest reading; null before the first one. */
  asOf: Date | null;
  highWaterMark: Prisma.Decimal | null;
  /** Of the account's market. */
  stoppedSymbols: { symbol: string }[];
  positions: {
    symbol: string;
    qty: DecimalText;
    avgEntryPrice: DecimalText;
    strategy: Intent["strategy"];
    openedAt: TimeText;
    stopPrice: DecimalText | null;
    targetPrice: DecimalText | null;
    review: Prisma.JsonValue;
    /** Of the last days; null where there was none. */
    splitBookedOn: SessionDate | null;
  }[];
  resting: Pick<RestingSale, "symbol" | "isStop" | "open">[];
  /** Orders that work at the broker. */
  orders: (Pick<Order, "clientOrderId" | "symbol" | "side" | "role" | "type"> & {
    strategy: Intent["strategy"];
    isOfRotation: boolean;
    qty: DecimalText | null;
    filledQty: DecimalText;
    limitPrice: DecimalText | null;
    submittedAt: TimeText;
  })[];
  /** Intents in flight of which no order is known. */
  intents: (Pick<Intent, "clientOrderId" | "symbol" | "side" | "purpose" | "strategy"> & {
    qty: DecimalText;
    limitPrice: DecimalText | null;
    decidedAt: TimeText;
  })[];
  /** Intents of today that went out, by symbol. */
  sent: (Pick<Intent, "purpose" | "status" | "symbol" | "lastError"> & { decidedAt: TimeText })[];
  stops: { symbol: string; closedAt: TimeText }[];
  /** The latest sale at a loss of each symbol. */
  lossSales: { symbol: string; at: TimeText }[];
  recentFills: DatedFill[];
  /** Closed round trips of the strategy, the last first; `risk`: what the buys would have lost at the stops decided with them, null where one has none. */
  trips: { pnl: DecimalText; risk: DecimalText | null; total: number }[];
  /** The latest closing points, ascending. */
  closes: { sessionDate: string; equity: DecimalText; netDeposits: DecimalText }[];
  /** The first point, where there is one. */
  start: { at: TimeText; earned: DecimalText }[];
  /** After the session before. */
  flows: { sum: DecimalText }[];
} & Parameters<typeof preferencesView>[0];

const PREFERENCES = Prisma.raw(PREFERENCE_NAMES.map((name) => `p."${name}"`).join(", "));
const ID = Prisma.sql`a."id"`;

/**
 * Everything of these accounts that decisions look at, by one statement for one account as for many, so that all of it is of one moment.
 * Answers each account's part; asked for an account that there is not, it throws.
 */
export async function readAccountRows(db: Tx, accountIds: readonly string[], now: Date, policy: Policy) {
  const rows = await db.$queryRaw<AccountRows[]>`
    select a."id", a."environment", a."status", a."market", a."killState", a."haltReason", a."userId",
      a."deletedAt" is not null as "isRemoved", a."sealedKeys" is not null as "hasKeys",
      u."disabledAt" is not null as "isUserDisabled", u."automationPausedAt" is not null as "isPaused", u."pausedReason",
      u."killState" as "userKillState", s."killState" as "systemKillState", ${flagIsOn("automation_enabled")} as "isEnabled",
      p."userId" is not null as "hasPreferences", ${PREFERENCES}, f."asOf", f."highWaterMark",
      ${listOf(Prisma.sql`select "symbol" from "SymbolStop" where "market" = a."market" order by "symbol"`)} as "stoppedSymbols",
      ${listOf(positions(now))} as "positions", ${listOf(restingSalesOf(Prisma.sql`= ${ID}`))} as "resting",
      ${listOf(ORDERS)} as "orders", ${listOf(INTENTS)} as "intents", ${listOf(sentToday(now))} as "sent",
      ${listOf(stopOuts(now, policy))} as "stops", ${listOf(lossSales(now))} as "lossSales",
      ${listOf(fillsBefore(ID, Prisma.sql`f."asOf"`))} as "recentFills", ${listOf(TRIPS)} as "trips", ${listOf(CLOSES)} as "closes",
      ${listOf(firstPointOf(ID))} as "start", ${listOf(sumOfFlows(ID, previousSession(newYork(now).date)))} as "flows"
    from "Account" a join "User" u on u."id" = a."userId" join "SystemState" s on s."id" = 1
    left join "TradingPreferences" p on p."userId" = u."id" left join "AccountFigures" f on f."accountId" = a."id"
    where a."id" = any(${[...accountIds]}::uuid[])`;
  const found = new Map(rows.map((row) => [row.id, row]));
  return (accountId: string): AccountRows => {
    const row = found.get(accountId);
    if (row === undefined) throw new Error(`there is no account ${accountId} to decide for`);
    return row;
  };
}

const positions = (now: Date) => Prisma.sql`
  select p."symbol", p."qty"::text, p."avgEntryPrice"::text, p."strategy", p."openedAt", p."stopPrice"::text, p."targetPrice"::text, p."review", (
    select max(split."exDate")::text from "AppliedCorporateAction" split
    where split."accountId" = ${ID} and split."symbol" = p."symbol" and split."ratio" <> 1
      and split."exDate" between ${addDays(newYork(now).date, -SPLIT_DAYS)}::date and ${newYork(now).date}::date
  ) as "splitBookedOn"
  from "Position" p where p."accountId" = ${ID} order by p."symbol"`;

const ORDERS = Prisma.sql`
  select o."clientOrderId", o."symbol", o."side", o."role", o."type", i."strategy", i."rotationLegId" is not null as "isOfRotation",
    o."qty"::text, o."filledQty"::text, o."limitPrice"::text, o."submittedAt"
  from "Order" o left join "Intent" i on i."id" = o."intentId"
  where o."accountId" = ${ID} and o."status" = any(${[...WORKING_STATUSES]}::"OrderStatus"[])`;

const INTENTS = Prisma.sql`
  select "clientOrderId", "symbol", "side", "purpose", "strategy", "qty"::text, "limitPrice"::text, "decidedAt"
  from "Intent" i where "accountId" = ${ID} and "status" = any(${[...IN_FLIGHT_INTENTS]}::"IntentStatus"[])
    and not exists (select 1 from "Order" o where o."intentId" = i."id")`;

const sentToday = (now: Date) => Prisma.sql`
  select "purpose", "status", "symbol", "lastError", "decidedAt" from "Intent"
  where "accountId" = ${ID} and "decidedAt" between ${new Date(newYorkInstant(newYork(now).date, 0, 0))}::timestamptz and ${now}::timestamptz
    and "status" not in ('PLANNED', 'GATED', 'DENIED', 'HALTED')
  order by "symbol"`;

const stopOuts = (now: Date, policy: Policy) => Prisma.sql`
  select "symbol", "closedAt" from "RoundTrip"
  where "accountId" = ${ID} and "exitReason" = any(${[...STOP_EXITS]}) and "outcome" = 'LOSS'
    and "closedAt" between ${new Date(now.getTime() - stopOutDays(policy) * DAY_MS)}::timestamptz and ${now}::timestamptz
  order by "closedAt"`;

/**
 * In any account of the person, deleted ones included, within one market: another market has another calendar, and losses of the
 * practice market are not real. The fraction of a share that a split leaves goes for nothing, and is no sale.
 */
const lossSales = (now: Date) => Prisma.sql`
  select sale."symbol", max(sale."at") as "at"
  from "Account" owned
  join "Fill" sale on sale."accountId" = owned."id"
  join "LotClosure" closed on closed."fillId" = sale."id"
  where owned."userId" = a."userId" and owned."market" = a."market" and sale."side" = 'SELL' and closed."realizedPnl" < 0
    and not (sale."source" = 'ACTIVITY' and sale."price" = 0 and sale."qty" < 1)
    and sale."at" between ${new Date(newYorkInstant(addDays(newYork(now).date, -LOSS_SALE_DAYS), 0, 0))}::timestamptz and ${now}::timestamptz
  group by sale."symbol" order by sale."symbol"`;

/** The latest ones alone: a decision's cost does not grow with history. */
const TRIPS = Prisma.sql`
  select trip."pnl"::text, trip."total", (
    select case when bool_and(decided."stopLossPrice" is not null)
      then sum((buy."price" - decided."stopLossPrice") * buy."qty") end
    from "Fill" buy
    join "Order" sent on sent."id" = buy."orderId"
    left join "Intent" decided on decided."id" = sent."intentId"
    where buy."accountId" = ${ID} and buy."symbol" = trip."symbol" and buy."side" = 'BUY'
      and buy."at" >= trip."openedAt" and buy."at" <= trip."closedAt"
  )::text as "risk"
  from (
    select t."id", t."symbol", t."openedAt", t."closedAt", t."pnl", count(*) over () as "total" from "RoundTrip" t
    where t."accountId" = ${ID} and t."strategy" = p."strategy" and t."closedAt" is not null
    order by t."closedAt" desc, t."id" desc limit ${TRIPS_KEPT}) trip
  order by trip."closedAt" desc, trip."id" desc`;

const CLOSES = Prisma.sql`
  select point."sessionDate", point."equity"::text, point."netDeposits"::text from (
    select "at", "sessionDate", "equity", "netDeposits" from "EquityPoint"
    where "accountId" = ${ID} and "isClose" order by "at" desc limit ${BOOK_RETURNS + 1}) point
  order by point."at"`;
