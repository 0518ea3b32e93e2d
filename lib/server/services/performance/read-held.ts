import type { Given } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import { accountTitle } from "@/lib/domain/account-title.ts";
import { averageCost, closeLots, lotsQty } from "@/lib/domain/lots.ts";
import { money, sum, ZERO } from "@/lib/domain/money.ts";
import { newYork } from "@/lib/domain/time.ts";
import { type Db, Prisma } from "../../db.ts";
import { listOf } from "../../core/list-of.ts";
import { isOneOf, type Scope } from "../../core/accounts-of-environment.ts";

interface Row {
  accountId: string;
  symbol: string;
  openedAt: Date;
  isOpen: boolean;
  hasSplit: boolean;
  /** In the order in which they are sold. */
  lots: { id: string; qty: string; costPrice: string; openedAt: string }[];
  stopQty: string | null;
  stopValue: string | null;
  stop: string | null;
}

/**
 * What was held at an instant of market time, by the round trips that were open then: shares and price by the lots that were not
 * sold yet, first in, first out, and the stops that rested. Shares that a split changed since are not told: lots hold those of after it.
 */
export async function readHeld(
  db: Db,
  accounts: Scope["accounts"],
  at: Date,
): Promise<Pick<Given<typeof performanceApi.week>, "held" | "risk">> {
  const instant = Prisma.sql`${at.toISOString()}::timestamptz`;
  const rows = await db.$queryRaw<Row[]>`
    select t."accountId", t."symbol", t."openedAt", t."closedAt" is null as "isOpen",
      exists (select 1 from "AppliedCorporateAction" c where c."accountId" = t."accountId" and c."symbol" = t."symbol"
        and c."ratio" <> 1 and c."exDate" > ${newYork(at).date}::date
        and (t."closedAt" is null or c."exDate" <= (t."closedAt" at time zone 'America/New_York')::date)) as "hasSplit",
      ${listOf(lotsAt(instant))} as "lots", s."qty"::text as "stopQty", s."value"::text as "stopValue", s."stop"::text
    from "RoundTrip" t
    cross join lateral (select sum("qty") as "qty", sum("qty" * "stopPrice") as "value", min("stopPrice") as "stop"
      from "Order" where "accountId" = t."accountId" and "symbol" = t."symbol" and "role" = 'STOP' and "submittedAt" <= ${instant}
        and ("endedAt" is null or "endedAt" > ${instant}) and ("filledAt" is null or "filledAt" > ${instant})) s
    where ${isOneOf(accounts, Prisma.sql`t."accountId"`)} and t."openedAt" <= ${instant}
      and (t."closedAt" is null or t."closedAt" > ${instant})
    order by t."symbol", t."openedAt"`;
  const nameOf = new Map(accounts.map((account) => [account.id, accountTitle(account)]));
  const held = rows.map(({ accountId, symbol, openedAt, isOpen, ...row }) => ({
    symbol,
    account: { id: accountId, name: nameOf.get(accountId)! },
    openedAt,
    isOpen,
    ...sharesOf(row),
  }));
  const known = held.flatMap(({ atStop }) => (atStop === null ? [] : [atStop]));
  return { held, risk: { atStops: sum(known), unknown: held.length - known.length } };
}

/** The lots of the round trip `t` with what was left of each. */
const lotsAt = (instant: Prisma.Sql) => Prisma.sql`
  select l."id", (l."qtyRemaining" + coalesce(c."qty", 0))::text as "qty", l."costPrice"::text, l."openedAt"
  from "Lot" l
  left join lateral (select sum("qty") as "qty" from "LotClosure" where "lotId" = l."id" and "at" > ${instant}) c on true
  where l."accountId" = t."accountId" and l."symbol" = t."symbol" and l."openedAt" >= t."openedAt" and l."openedAt" <= ${instant}
    and l."qtyRemaining" + coalesce(c."qty", 0) > 0
  order by l."sequence"`;

function sharesOf({ hasSplit, ...row }: Pick<Row, "hasSplit" | "lots" | "stop" | "stopQty" | "stopValue">) {
  const lots = row.lots.map(({ qty, costPrice, ...lot }, sequence) => ({
    ...lot,
    qtyOpened: money(qty),
    qtyRemaining: money(qty),
    costPrice: money(costPrice),
    feesRemaining: ZERO,
    sequence,
  }));
  const stop = row.stop === null ? null : money(row.stop);
  const paid = averageCost(lots);
  if (hasSplit || paid === null) return { quantity: null, paid: null, stop, atStop: null };
  const quantity = lotsQty(lots);
  if (row.stopQty === null) return { quantity, paid, stop, atStop: null };
  // Stops are of whole shares: a fraction beside them stays, and is no part of what they would realise.
  const sale = closeLots(lots, { qty: money(row.stopQty), price: ZERO, fees: ZERO, at: "" });
  const cost = sum(sale.closures.map((closure) => closure.cost)).plus(sale.unmatchedQty.times(paid));
  return { quantity, paid, stop, atStop: money(row.stopValue ?? 0).minus(cost) };
}
