import { Prisma } from "../../db.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import type { Query } from "./order-queries.ts";
import type { InvariantId } from "./table.ts";

/** What is held by our lots. */
const heldLots = (accountId: Prisma.Sql) => Prisma.sql`
  select "symbol", sum("qtyRemaining") as "qty" from "Lot"
  where "accountId" = ${accountId} and "qtyRemaining" > 0 group by "symbol"`;

/** Fills, lots, positions, cash and figures: what is owned, and whether it adds up. */
export const bookQueries: [InvariantId, Query][] = [
  [
    "I3",
    (id) => Prisma.sql`
      select o."clientOrderId" as "subject", 'filled ' || o."filledQty" || ', its fills ' || coalesce(sum(f."qty"), 0) as "detail"
      from "Order" o left join "Fill" f on f."orderId" = o."id"
      where o."accountId" = ${id}
      group by o."id" having o."filledQty" > o."qty" or (o."filledQty" <> coalesce(sum(f."qty"), 0)
        -- A split restates the waiting order with what was filled of it: its fills stay those of before.
        and not exists (select 1 from "AppliedCorporateAction" c where c."accountId" = o."accountId" and c."symbol" = o."symbol"
          and c."exDate" between (o."submittedAt" at time zone 'America/New_York')::date
            and (coalesce(o."endedAt", o."filledAt", 'infinity') at time zone 'America/New_York')::date))
      union all
      select f."executionId", 'a fill that is not of its order'
      from "Fill" f join "Order" o on o."id" = f."orderId"
      where f."accountId" = ${id} and (o."accountId" <> f."accountId" or o."side" <> f."side"
        -- Shares that were exchanged for another company's carry its symbol since.
        or (o."symbol" <> f."symbol" and not exists (select 1 from "AppliedCorporateAction" c
          where c."accountId" = f."accountId" and c."symbol" = f."symbol")))`,
  ],
  [
    "I4",
    (id) => Prisma.sql`
      with lots as (${heldLots(id)}),
      fills as (select f."symbol", sum(case f."side" when 'BUY' then f."qty" else -f."qty" end) as "qty" from "Fill" f
        where f."accountId" = ${id} group by f."symbol"),
      positions as (select "symbol", "qty" from "Position" where "accountId" = ${id})
      select coalesce(p."symbol", l."symbol") as "subject",
        'position ' || coalesce(p."qty", 0) || ', lots ' || coalesce(l."qty", 0) as "detail"
      from positions p full join lots l on l."symbol" = p."symbol"
      where coalesce(p."qty", 0) <> coalesce(l."qty", 0)
      union all
      select coalesce(f."symbol", l."symbol"), 'fills ' || coalesce(f."qty", 0) || ', lots ' || coalesce(l."qty", 0)
      from fills f full join lots l on l."symbol" = f."symbol"
      where coalesce(f."qty", 0) <> coalesce(l."qty", 0)
        -- A split changes how many shares a fill has become.
        and not exists (select 1 from "AppliedCorporateAction" c where c."accountId" = ${id} and c."symbol" = coalesce(f."symbol", l."symbol"))`,
  ],
  [
    "I20",
    (id) => Prisma.sql`
      select 'fill ' || "executionId" as "subject", 'quantity or price' as "detail" from "Fill"
      where "accountId" = ${id} and ("qty" <= 0 or "price" < 0 or ("price" = 0 and "source" not in ('ACTIVITY', 'ADJUSTMENT')) or 'NaN' in ("qty", "price", "fees"))
      union all
      select 'order ' || "clientOrderId", 'quantity or price' from "Order"
      where "accountId" = ${id} and ("filledQty" < 0 or "limitPrice" < 0 or "stopPrice" < 0
        or 'NaN' in ("filledQty", "filledValue", coalesce("limitPrice", 0), coalesce("stopPrice", 0), coalesce("filledAvgPrice", 0)))
      union all
      select 'lot ' || "symbol", 'quantity or cost' from "Lot"
      where "accountId" = ${id} and ("qtyRemaining" < 0 or "costPrice" < 0 or 'NaN' in ("qtyRemaining", "costPrice", "feesRemaining"))
      union all
      select 'position ' || "symbol", 'price' from "Position"
      where "accountId" = ${id} and ("currentPrice" < 0 or 'NaN' in ("qty", "avgEntryPrice", coalesce("currentPrice", 0), coalesce("marketValue", 0)))
      union all
      select 'figures', 'not a number' from "AccountFigures"
      where "accountId" = ${id} and 'NaN' in ("equity", "lastEquity", "cash", "buyingPower", "netDeposits", "realizedPnl", "fees", "dividends", "totalVolume")`,
  ],
  [
    "I21",
    (id) => Prisma.sql`
      with f as (select * from "AccountFigures" where "accountId" = ${id}),
      counted as (
        select 'realized profit' as "name", f."realizedPnl" as "kept", coalesce((select sum(c."realizedPnl") from "LotClosure" c join "Lot" l on l."id" = c."lotId"
          where l."accountId" = ${id}), 0) as "real" from f
        union all select 'trades', f."tradeCount", (select count(distinct "orderId") from "Fill" where "accountId" = ${id}) from f
        union all select 'volume', f."totalVolume", coalesce((select sum(round("qty" * "price", 9)) from "Fill" where "accountId" = ${id}), 0) from f
        union all select 'winning trips', f."winningTrips", (select count(*) from "RoundTrip" where "accountId" = ${id} and "outcome" = 'WIN') from f
        union all select 'losing trips', f."losingTrips", (select count(*) from "RoundTrip" where "accountId" = ${id} and "outcome" = 'LOSS') from f
        union all select 'scratch trips', f."scratchTrips", (select count(*) from "RoundTrip" where "accountId" = ${id} and "outcome" = 'SCRATCH') from f
        union all select 'deposits', f."netDeposits", coalesce((select sum("amount") from "CashFlow" where "accountId" = ${id} and "isExternal"), 0) from f
        union all select 'income less fees', f."dividends" - f."fees", coalesce((select sum("amount") from "CashFlow" where "accountId" = ${id} and not "isExternal" and "type" <> ${OTHER_ASSET}), 0) from f
      )
      select "name" as "subject", 'kept ' || "kept" || ', its rows ' || "real" as "detail" from counted where abs("kept" - "real") > 0.000001
      union all
      select 'lot of ' || l."symbol", 'closed ' || coalesce(sum(c."qty"), 0) || ' of ' || l."qtyOpened" || ', left ' || l."qtyRemaining"
      from "Lot" l left join "LotClosure" c on c."lotId" = l."id"
      where l."accountId" = ${id}
        and not exists (select 1 from "AppliedCorporateAction" a where a."accountId" = l."accountId" and a."symbol" = l."symbol")
      group by l."id" having l."qtyOpened" - l."qtyRemaining" <> coalesce(sum(c."qty"), 0)`,
  ],
  [
    "I25",
    (id) => Prisma.sql`
      with o as (
        select count(*) as "trades", count(*) filter (where "status" = 'FILLED') as "filled", coalesce(sum("filledValue"), 0) as "volume"
        from "Order" where "accountId" = ${id} and ("filledQty" > 0 or ("parentId" is null and "role" not in ('STOP', 'TARGET')))
      ),
      r as (
        select count(*) as "trips", count(*) filter (where "outcome" = 'WIN') as "wins", count(*) filter (where "outcome" = 'LOSS') as "losses"
        from "RoundTrip" where "accountId" = ${id} and "closedAt" is not null
      )
      select n."name" as "subject", 'kept ' || n."kept" || ', its rows ' || n."real" as "detail"
      from o cross join r left join "TradeTotals" t on t."accountId" = ${id} cross join lateral (values
        ('trades', coalesce(t."trades", 0), o."trades"),
        ('filled trades', coalesce(t."filledTrades", 0), o."filled"),
        ('volume of trades', coalesce(t."volume", 0), o."volume"),
        ('closed trips', coalesce(t."trips", 0), r."trips"),
        ('trips with a gain', coalesce(t."wins", 0), r."wins"),
        ('trips with a loss', coalesce(t."losses", 0), r."losses")
      ) n("name", "kept", "real") where n."kept" <> n."real"`,
  ],
];
