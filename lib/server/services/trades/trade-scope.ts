import type { Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { Environment } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { statusesOfTrade } from "@/lib/domain/orders.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma } from "../../db.ts";
import { accountsOfEnvironment, type Scope } from "../../core/accounts-of-environment.ts";

/** What a list of trades is narrowed by. */
export type TradeFilter = Pick<Received<typeof tradesApi.list>, "symbol" | "side" | "status" | "startDate" | "endDate">;

/** From the first, before the second; null is open. */
interface Period {
  from: Date | null;
  before: Date | null;
}

/** Whose trades: those of these accounts, or all users'. */
export type TradeScope = { accountIds: readonly string[] } | "all-users";

interface TradesOfEnvironment extends Omit<Scope, "accounts"> {
  scope: TradeScope;
}

/**
 * The caller's own accounts of one environment, or all users', those that were removed with them. Where all accounts trade in
 * one environment only there is nothing to leave out.
 */
export async function tradesOfEnvironment(
  context: Pick<Context<"user">, "actor" | "db">,
  wanted: Environment | undefined,
  { isOfAll }: { isOfAll: boolean },
): Promise<TradesOfEnvironment> {
  const { accounts, ...found } = await accountsOfEnvironment(context, wanted, { isOfAll, hasRemoved: true });
  const isEverything = isOfAll && found.environments.every((environment) => environment === found.environment);
  return { ...found, scope: isEverything ? "all-users" : { accountIds: accounts.map(({ id }) => id) } };
}

export const idList = (ids: readonly string[]): Prisma.Sql =>
  // One parameter, however many accounts there are.
  Prisma.sql`${[...ids]}::uuid[]`;

/**
 * An order that was meant to trade, or that was filled: a protective order that never filled stands on its entry's page.
 * As the indexes of the migration spell it; `WHERE_TRADE` is the same for Prisma.
 */
const IS_TRADE = Prisma.sql`("filledQty" > 0 or ("parentId" is null and "role" not in ('STOP', 'TARGET')))`;

/** Conditions on "Order", all but whose it is. */
export function tradeConditions(filter: TradeFilter): Prisma.Sql[] {
  return [
    IS_TRADE,
    ...symbolConditions(filter),
    ...kindConditions(filter),
    ...isWithin(Prisma.sql`"tradedAt"`, periodOf(filter)),
  ];
}

export const isWithin = (value: Prisma.Sql, { from, before }: Period): Prisma.Sql[] => [
  ...(from === null ? [] : [Prisma.sql`${value} >= ${from}::timestamptz`]),
  ...(before === null ? [] : [Prisma.sql`${value} < ${before}::timestamptz`]),
];

/** A part of a symbol names symbols. */
export const symbolConditions = ({ symbol }: Pick<TradeFilter, "symbol">): Prisma.Sql[] =>
  symbol === undefined ? [] : [Prisma.sql`strpos("symbol", ${symbol}) > 0`];

function kindConditions({ side, status }: Pick<TradeFilter, "side" | "status">): Prisma.Sql[] {
  const statuses = status === undefined ? [] : statusesOfTrade(status);
  return [
    ...(side === undefined ? [] : [Prisma.sql`"side" = ${side}::"Side"`]),
    ...(statuses.length === 0
      ? []
      : [Prisma.sql`"status" in (${Prisma.join(statuses.map((one) => Prisma.sql`${one}::"OrderStatus"`))})`]),
  ];
}

export const ofScope = (scope: TradeScope): Prisma.Sql[] =>
  scope === "all-users" ? [] : [Prisma.sql`"accountId" = any(${idList(scope.accountIds)})`];

export const conjunction = (conditions: Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ");

/** No trade is older or newer, and the database reads no year 0. */
const EARLIEST = new Date("1900-01-01T05:00:00Z");
const LATEST = new Date("2200-01-01T05:00:00Z");

/** A date means its New York day, an instant itself. Throws `invalid_input` where the end is before the start. */
export function periodOf({ startDate, endDate }: TradeFilter): Period {
  const from = startDate === undefined ? null : new Date(isDay(startDate) ? midnight(startDate) : startDate);
  const before = endDate === undefined ? null : new Date(isDay(endDate) ? midnight(addDays(endDate, 1)) : endDate);
  if (from && before && from >= before) {
    const message = "The start date must not be after the end date.";
    throw new Failure("invalid_input", message, { issues: [{ path: "startDate", message }] });
  }
  return { from: from && bounded(from), before: before && bounded(before) };
}

const bounded = (at: Date) => (at < EARLIEST ? EARLIEST : at > LATEST ? LATEST : at);
const isDay = (value: string) => value.length === "2026-11-21".length;
const midnight = (day: string) => newYorkInstant(day, 0, 0);
