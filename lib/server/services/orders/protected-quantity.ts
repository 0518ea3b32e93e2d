import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { least, type Money, money, ZERO } from "@/lib/domain/money.ts";
import { byAccount } from "../../core/by-account.ts";
import { type Db, Prisma, type Tx } from "../../db.ts";

/** An order to sell that works at the broker. */
export interface RestingSale {
  accountId: string;
  symbol: string;
  isTarget: boolean;
  isStop: boolean;
  /** USD, exact */
  stopPrice: string | null;
  limitPrice: string | null;
  /** Shares that it would still sell; null where the broker did not say how many it is for. */
  open: string | null;
}

/**
 * Stops and targets that rest at the broker, as a query; `accounts` follows the column of the account. A held leg sells only once its
 * bracket's entry is filled, or beside the target of an OCO; before that it is none of them.
 */
export const restingSalesOf = (accounts: Prisma.Sql) => Prisma.sql`
  select o."accountId", o."symbol", o."role" = 'TARGET' as "isTarget",
    o."type" in ('STOP', 'STOP_LIMIT', 'TRAILING_STOP') as "isStop",
    o."stopPrice"::text as "stopPrice", o."limitPrice"::text as "limitPrice", (o."qty" - o."filledQty")::text as "open"
  from "Order" o left join "Order" p on p."id" = o."parentId"
  where o."accountId" ${accounts} and o."status" = any(${[...WORKING_STATUSES]}::"OrderStatus"[])
    and o."side" = 'SELL' and (o."role" = 'TARGET' or o."type" in ('STOP', 'STOP_LIMIT', 'TRAILING_STOP'))
    and (p."id" is null or p."status" = 'FILLED' or p."role" = 'TARGET')`;

/** USD; the lowest where there are more, which is met first among targets. Null where no order with such a price rests. */
export interface RestingLevels {
  stop: Money | null;
  target: Money | null;
}

export interface Resting {
  /**
   * The prices at which orders at the broker would sell. A level that is only intended, because its order was refused or is yet to
   * be sent, is none of them.
   */
  levels(accountId: string, symbol: string): RestingLevels;
  /** Shares of each symbol that live stops at the broker would sell; stops that a person placed count too. */
  covered(accountId: string): ReadonlyMap<string, Money>;
}

const NO_LEVELS: RestingLevels = { stop: null, target: null };

/** What rests at the broker to sell shares of these accounts. */
export async function readResting(db: Db | Tx, accountIds: readonly string[]): Promise<Resting> {
  const sales = await db.$queryRaw<RestingSale[]>(restingSalesOf(Prisma.sql`= any(${[...accountIds]}::uuid[])`));
  const levels = new Map<string, RestingLevels>();
  const lower = (known: Money | null, price: string | null) =>
    price === null ? known : known === null ? money(price) : least(known, money(price));
  for (const { accountId, symbol, isTarget, stopPrice, limitPrice } of sales) {
    const key = `${accountId} ${symbol}`;
    const { stop, target } = levels.get(key) ?? NO_LEVELS;
    levels.set(key, isTarget ? { stop, target: lower(target, limitPrice) } : { stop: lower(stop, stopPrice), target });
  }
  const salesOf = byAccount(sales);
  return {
    levels: (accountId, symbol) => levels.get(`${accountId} ${symbol}`) ?? NO_LEVELS,
    covered: (accountId) => coveredBy(salesOf(accountId)),
  };
}

/** Shares of each symbol that the stops among these orders would sell. */
export function coveredBy(sales: readonly Pick<RestingSale, "symbol" | "isStop" | "open">[]): Map<string, Money> {
  const covered = new Map<string, Money>();
  for (const { symbol, isStop, open } of sales)
    if (isStop && open !== null) covered.set(symbol, (covered.get(symbol) ?? ZERO).plus(money(open)));
  return covered;
}

/** What live stops at the broker cover of one account. */
export const protectedQuantity = async (db: Db | Tx, accountId: string): Promise<ReadonlyMap<string, Money>> =>
  (await readResting(db, [accountId])).covered(accountId);
