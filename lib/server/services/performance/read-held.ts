import type { Given } from "@/lib/contracts/endpoint.ts";
import type { performanceApi } from "@/lib/contracts/performance.ts";
import { money, sum } from "@/lib/domain/money.ts";
import { type Db, Prisma } from "../../db.ts";
import { isOneOf, type Scope } from "../../core/accounts-of-environment.ts";

interface Row {
  accountId: string;
  symbol: string;
  openedAt: Date;
  isOpen: boolean;
  hasSplit: boolean;
  bought: string | null;
  paid: string | null;
  sold: string | null;
  stopQty: string | null;
  stopValue: string | null;
  stop: string | null;
}

/**
 * What was held at an instant of market time, by the round trips that were open then: shares and mean price by their fills, and
 * the stops that rested. Shares that a split changed are not told: the fills before it count in others.
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
        and c."exDate" >= t."openedAt"::date and c."ratio" <> 1) as "hasSplit",
      f."bought"::text, f."paid"::text, f."sold"::text, s."qty"::text as "stopQty", s."value"::text as "stopValue", s."stop"::text
    from "RoundTrip" t
    cross join lateral (select sum("qty") filter (where "side" = 'BUY') as "bought",
        sum("qty" * "price") filter (where "side" = 'BUY') as "paid", sum("qty") filter (where "side" = 'SELL') as "sold"
      from "Fill" where "accountId" = t."accountId" and "symbol" = t."symbol" and "at" >= t."openedAt" and "at" <= ${instant}) f
    cross join lateral (select sum("qty") as "qty", sum("qty" * "stopPrice") as "value", min("stopPrice") as "stop"
      from "Order" where "accountId" = t."accountId" and "symbol" = t."symbol" and "role" = 'STOP' and "submittedAt" <= ${instant}
        and ("endedAt" is null or "endedAt" > ${instant}) and ("filledAt" is null or "filledAt" > ${instant})) s
    where ${isOneOf(accounts, Prisma.sql`t."accountId"`)} and t."openedAt" <= ${instant}
      and (t."closedAt" is null or t."closedAt" > ${instant})
    order by t."symbol", t."openedAt"`;
  const nameOf = new Map(accounts.map(({ id, name }) => [id, name]));
  const held = rows.map(({ accountId, symbol, openedAt, isOpen, ...row }) => ({
    symbol,
    account: { id: accountId, name: nameOf.get(accountId) ?? null },
    openedAt,
    isOpen,
    ...sharesOf(row),
  }));
  const known = held.flatMap(({ atStop }) => (atStop === null ? [] : [atStop]));
  return { held, risk: { atStops: sum(known), unknown: held.length - known.length } };
}

function sharesOf(row: Pick<Row, "hasSplit" | "bought" | "paid" | "sold" | "stop" | "stopQty" | "stopValue">) {
  const bought = money(row.bought ?? 0);
  const stop = row.stop === null ? null : money(row.stop);
  if (row.hasSplit || bought.lte(0)) return { quantity: null, paid: null, stop, atStop: null };
  const quantity = bought.minus(row.sold ?? 0);
  const paid = money(row.paid ?? 0).div(bought);
  // Stops are of whole shares: a fraction beside them stays, and is no part of what they would realise.
  const atStop = row.stopQty === null ? null : money(row.stopValue ?? 0).minus(paid.times(money(row.stopQty)));
  return { quantity, paid, stop, atStop };
}
