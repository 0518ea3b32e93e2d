import type { Received } from "@/lib/contracts/endpoint.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { statusesOfTrade } from "@/lib/domain/orders.ts";
import { addDays, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { Prisma, type Db } from "../../db.ts";
import { signedInUserId } from "../auth/signed-in-user-id.ts";

/** What a list of trades is narrowed by. */
export type TradeFilter = Pick<Received<typeof tradesApi.list>, "symbol" | "side" | "status" | "startDate" | "endDate">;

/** Whose trades: those of these accounts, or everybody's. */
export type TradeScope = { accountIds: readonly string[] } | "everybody";

export async function ownScope({ actor, db }: { actor: Context["actor"]; db: Db }): Promise<TradeScope> {
  const accounts = await db.account.findMany({ where: { userId: signedInUserId(actor) }, select: { id: true } });
  return { accountIds: accounts.map(({ id }) => id) };
}

export const idList = (ids: readonly string[]): Prisma.Sql => Prisma.sql`array[${Prisma.join([...ids])}]::uuid[]`;

/**
 * A resting leg of a bracket becomes a trade when it fills; until then it is a part of its entry. As the indexes of the
 * history spell it.
 */
const IS_TRADE = Prisma.sql`("parentId" is null or "filledQty" > 0 or "status" = 'REJECTED')`;

/** Conditions on "TradeTally". */
export function tallyConditions(scope: TradeScope, { symbol, ...kind }: TradeFilter): Prisma.Sql[] {
  return [
    ...ofScope(scope),
    ...(symbol === undefined ? [] : [Prisma.sql`strpos("symbol", ${symbol}) > 0`]),
    ...kindConditions(kind),
  ];
}

/** Conditions on "Order", all but whose it is. */
export function tradeConditions(scope: TradeScope, filter: TradeFilter): Prisma.Sql[] {
  const { from, before } = periodOf(filter);
  return [
    IS_TRADE,
    ...symbolConditions(scope, filter),
    ...kindConditions(filter),
    ...(from === null ? [] : [Prisma.sql`"tradedAt" >= ${from}`]),
    ...(before === null ? [] : [Prisma.sql`"tradedAt" < ${before}`]),
  ];
}

/** A part of a symbol names symbols that the tally knows: those are found in an index, a part of a text is not. */
export function symbolConditions(scope: TradeScope, { symbol }: TradeFilter): Prisma.Sql[] {
  if (symbol === undefined) return [];
  if (scope === "everybody") return [Prisma.sql`strpos("symbol", ${symbol}) > 0`];
  return [
    Prisma.sql`"symbol" = any(array(select distinct "symbol" from "TradeTally" where ${conjunction(tallyConditions(scope, { symbol }))}))`,
  ];
}

function kindConditions({ side, status }: TradeFilter): Prisma.Sql[] {
  const statuses = status === undefined ? [] : statusesOfTrade(status);
  return [
    ...(side === undefined ? [] : [Prisma.sql`"side" = ${side}::"Side"`]),
    ...(statuses.length === 0
      ? []
      : [Prisma.sql`"status" in (${Prisma.join(statuses.map((one) => Prisma.sql`${one}::"OrderStatus"`))})`]),
  ];
}

export const ofScope = (scope: TradeScope): Prisma.Sql[] =>
  scope === "everybody" ? [] : [Prisma.sql`"accountId" = any(${idList(scope.accountIds)})`];

export const conjunction = (conditions: Prisma.Sql[]): Prisma.Sql =>
  conditions.length === 0 ? Prisma.sql`true` : Prisma.join(conditions, " and ");

/** A date means its New York day, an instant itself. Throws `invalid_input` where the end is before the start. */
export function periodOf({ startDate, endDate }: TradeFilter): { from: Date | null; before: Date | null } {
  const from = startDate === undefined ? null : new Date(isDay(startDate) ? midnight(startDate) : startDate);
  const before = endDate === undefined ? null : new Date(isDay(endDate) ? midnight(addDays(endDate, 1)) : endDate);
  if (from && before && from >= before) {
    const message = "The start date must not be after the end date.";
    throw new Failure("invalid_input", message, { issues: [{ path: "startDate", message }] });
  }
  return { from, before };
}

const isDay = (value: string) => value.length === "2026-11-21".length;
const midnight = (day: string) => newYorkInstant(day, 0, 0);
