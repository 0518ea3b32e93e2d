import { type Money, money, shownCents, sum } from "@/lib/domain/money.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import type { Db } from "../../db.ts";
import { isOneOf } from "../../core/accounts-of-environment.ts";

interface Row {
  equity: string;
  netDeposits: string;
  asOf: Date;
  oldestAt: Date;
  accounts: number;
  deposits: string;
  realized: string;
  unrealized: string;
  hasOtherAssets: boolean;
  dividends: string;
  fees: string;
}

/** Deposits + realised + unrealised + dividends − fees + unread = equity, each to the cent. */
export interface Statement {
  deposits: Money;
  realized: Money;
  unrealized: Money;
  dividends: Money;
  fees: Money;
  unread: Money;
  equity: Money;
  /** Crypto or options were traded: what became of the money in them is a part of `unrealized`. */
  hasOtherAssets: boolean;
}

export interface Books {
  equity: Money;
  netDeposits: Money;
  /** Market time of the latest reading, to which sums run, and of the oldest one in them. */
  asOf: Date;
  oldestAt: Date;
  /** How many accounts were read. */
  accounts: number;
  statement: Statement;
}

const HALF_A_CENT = money("0.005");

/**
 * The statement of the accounts together, in one look at the books. Unrealised is the positions' value as the broker read
 * it less the cost of our own lots and the money that went into other assets, of which there are no lots, so nothing here is taken from the sum it must come to. Null before the first reading.
 */
export async function readBooks(db: Db, accounts: readonly { id: string }[]): Promise<Books | null> {
  const [row] = await db.$queryRaw<(Row | { asOf: null })[]>`
    select sum(f."equity")::text as "equity", sum(f."netDeposits")::text as "netDeposits", max(f."asOf") as "asOf", min(f."asOf") as "oldestAt", count(*)::int as "accounts",
      sum(f."netDeposits")::text as "deposits", sum(f."realizedPnl")::text as "realized",
      sum(f."longMarketValue" - l."cost" + o."moved")::text as "unrealized", coalesce(bool_or(o."isThere"), false) as "hasOtherAssets", sum(f."dividends")::text as "dividends", sum(f."fees")::text as "fees"
    from "AccountFigures" f cross join lateral (
      select coalesce(sum(round("qtyRemaining" * "costPrice", 9) + "feesRemaining"), 0) as "cost" from "Lot"
      where "accountId" = f."accountId" and "qtyRemaining" > 0) l
    cross join lateral (
      select coalesce(sum("amount"), 0) as "moved", count(*) > 0 as "isThere" from "CashFlow"
      where "accountId" = f."accountId" and "type" = ${OTHER_ASSET}) o
    where ${isOneOf(accounts)} and f."asOf" is not null`;
  if (!row || row.asOf === null) return null;
  return {
    equity: money(row.equity),
    netDeposits: money(row.netDeposits),
    asOf: row.asOf,
    oldestAt: row.oldestAt,
    accounts: row.accounts,
    statement: statementOf(row),
  };
}

function statementOf(row: Row): Statement {
  const parts = {
    deposits: money(row.deposits),
    realized: money(row.realized),
    dividends: money(row.dividends),
    fees: money(row.fees),
  };
  const explained = sum([parts.deposits, parts.realized, parts.dividends, parts.fees.negated(), money(row.unrealized)]);
  const difference = money(row.equity).minus(explained);
  const unread = shownCents(difference.abs().lt(HALF_A_CENT) ? money(0) : difference);
  const [equity, deposits, realized, dividends, fees] = [
    money(row.equity),
    parts.deposits,
    parts.realized,
    parts.dividends,
    parts.fees,
  ].map(shownCents) as [Money, Money, Money, Money, Money];
  // Parts of a cent that rounding leaves over go to what is no booked amount but a valuation.
  const unrealized = equity.minus(sum([deposits, realized, dividends, fees.negated(), unread]));
  return { deposits, realized, unrealized, dividends, fees, unread, equity, hasOtherAssets: row.hasOtherAssets };
}
