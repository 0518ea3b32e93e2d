import { Prisma } from "../../db.ts";
import { OTHER_ASSET } from "../../broker/other-assets.ts";
import type { Query } from "./order-queries.ts";
import type { InvariantId } from "./table.ts";

/** What is held by our lots. */
const heldLots = (accountId: string) => Prisma.sql`
  select "symbol", sum("qtyRemaining") as "qty" from "Lot"
  where "accountId" = ${accountId}::uuid and "qtyRemaining" > 0 group by "symbol"`;

/** Fills, lots, positions, cash and figures: what is owned, and whether it adds up. */
export const bookQueries: [InvariantId, Query][] = [
  [
    "I3",
    (id) => Prisma.sql`
      select o."clientOrderId" as "subject", 'filled ' || o."filledQty" || ', its fills ' || coalesce(sum(f."qty"), 0) as "detail"
      from "Order" o left join "Fill" f on f."orderId" = o."id"
      where o."accountId" = ${id}::uuid
      group by o."id" having o."filledQty" <> coalesce(sum(f."qty"), 0) or o."filledQty" > o."qty"
      union all
      select f."executionId", 'a fill that is not of its order'
      from "Fill" f join "Order" o on o."id" = f."orderId"
      where f."accountId" = ${id}::uuid and (o."accountId" <> f."accountId" or o."side" <> f."side"
        -- Shares that were exchanged for another company's carry its symbol since.
        or (o."symbol" <> f."symbol" and not exists (select 1 from "AppliedCorporateAction" c
          where c."accountId" = f."accountId" and c."symbol" = f."symbol")))`,
  ],
  [
    "I4",
    (id) => Prisma.sql`
      with lots as (${heldLots(id)}),
      fills as (select f."symbol", sum(case f."side" when 'BUY' then f."qty" else -f."qty" end) as "qty" from "Fill" f
        where f."accountId" = ${id}::uuid group by f."symbol"),
      positions as (select "symbol", "qty" from "Position" where "accountId" = ${id}::uuid)
      select coalesce(p."symbol", l."symbol") as "subject",
        'position ' || coalesce(p."qty", 0) || ', lots ' || coalesce(l."qty", 0) as "detail"
      from positions p full join lots l on l."symbol" = p."symbol"
      where coalesce(p."qty", 0) <> coalesce(l."qty", 0)
      union all
      select coalesce(f."symbol", l."symbol"), 'fills ' || coalesce(f."qty", 0) || ', lots ' || coalesce(l."qty", 0)
      from fills f full join lots l on l."symbol" = f."symbol"
      where coalesce(f."qty", 0) <> coalesce(l."qty", 0)
        -- A split changes how many shares a fill has become.
        and not exists (select 1 from "AppliedCorporateAction" c where c."accountId" = ${id}::uuid and c."symbol" = coalesce(f."symbol", l."symbol"))`,
  ],
  [
    "I20",
    (id) => Prisma.sql`
      select 'fill ' || "executionId" as "subject", 'quantity or price' as "detail" from "Fill"
      where "accountId" = ${id}::uuid and ("qty" <= 0 or "price" < 0 or ("price" = 0 and "source" not in ('ACTIVITY', 'ADJUSTMENT')) or 'NaN' in ("qty", "price", "fees"))
      union all
      select 'order ' || "clientOrderId", 'quantity or price' from "Order"
      where "accountId" = ${id}::uuid and ("filledQty" < 0 or "limitPrice" < 0 or "stopPrice" < 0
        or 'NaN' in ("filledQty", "filledValue", coalesce("limitPrice", 0), coalesce("stopPrice", 0), coalesce("filledAvgPrice", 0)))
      union all
      select 'lot ' || "symbol", 'quantity or cost' from "Lot"
      where "accountId" = ${id}::uuid and ("qtyRemaining" < 0 or "costPrice" < 0 or 'NaN' in ("qtyRemaining", "costPrice", "feesRemaining"))
      union all
      select 'position ' || "symbol", 'price' from "Position"
      where "accountId" = ${id}::uuid and ("currentPrice" < 0 or 'NaN' in ("qty", "avgEntryPrice", coalesce("currentPrice", 0), coalesce("marketValue", 0)))
      union all
      select 'figures', 'not a number' from "AccountFigures"
      where "accountId" = ${id}::uuid and 'NaN' in ("equity", "lastEquity", "cash", "buyingPower", "netDeposits", "realizedPnl", "fees", "dividends", "totalVolume")`,
  ],
  [
    "I21",
    (id) => Prisma.sql`
      with f as (select * from "AccountFigures" where "accountId" = ${id}::uuid),
      counted as (
        select 'realized profit' as "name", f."realizedPnl" as "kept", coalesce((select sum(c."realizedPnl") from "LotClosure" c join "Lot" l on l."id" = c."lotId"
          where l."accountId" = ${id}::uuid), 0) as "real" from f
        union all select 'trades', f."tradeCount", (select count(distinct "orderId") from "Fill" where "accountId" = ${id}::uuid) from f
        union all select 'volume', f."totalVolume", coalesce((select sum(round("qty" * "price", 9)) from "Fill" where "accountId" = ${id}::uuid), 0) from f
        union all select 'winning trips', f."winningTrips", (select count(*) from "RoundTrip" where "accountId" = ${id}::uuid and "outcome" = 'WIN') from f
        union all select 'losing trips', f."losingTrips", (select count(*) from "RoundTrip" where "accountId" = ${id}::uuid and "outcome" = 'LOSS') from f
        union all select 'scratch trips', f."scratchTrips", (select count(*) from "RoundTrip" where "accountId" = ${id}::uuid and "outcome" = 'SCRATCH') from f
        union all select 'deposits', f."netDeposits", coalesce((select sum("amount") from "CashFlow" where "accountId" = ${id}::uuid and "isExternal"), 0) from f
        union all select 'income less fees', f."dividends" - f."fees", coalesce((select sum("amount") from "CashFlow" where "accountId" = ${id}::uuid and not "isExternal" and "type" <> ${OTHER_ASSET}), 0) from f
      )
      select "name" as "subject", 'kept ' || "kept" || ', its rows ' || "real" as "detail" from counted where abs("kept" - "real") > 0.000001
      union all
      select 'lot of ' || l."symbol", 'closed ' || coalesce(sum(c."qty"), 0) || ' of ' || l."qtyOpened" || ', left ' || l."qtyRemaining"
      from "Lot" l left join "LotClosure" c on c."lotId" = l."id"
      where l."accountId" = ${id}::uuid
        and not exists (select 1 from "AppliedCorporateAction" a where a."accountId" = l."accountId" and a."symbol" = l."symbol")
      group by l."id" having l."qtyOpened" - l."qtyRemaining" <> coalesce(sum(c."qty"), 0)`,
  ],
  [
    "I25",
    // Each trade counts towards the four sums of its year and day, of all symbols and of its own (prisma: SumSpan).
    (id) => Prisma.sql`
      with spans as (select unnest(enum_range(null::"SumSpan")) as "span"),
      kept as (
        select "span", date_part('year', "start") as "year", "side" || ' ' || "status" as "kind", sum("trades") as "count", sum("volume") as "volume"
        from "TradeSum" where "accountId" = ${id}::uuid group by 1, 2, 3
        union all
        select "span", date_part('year', "start"), 'trips ' || "outcome", sum("trips"), 0
        from "TripSum" where "accountId" = ${id}::uuid group by 1, 2, 3
      ),
      counted as (
        select date_part('year', "tradedAt" at time zone 'America/New_York') as "year", "side" || ' ' || "status" as "kind", count(*) as "count", sum("filledValue") as "volume"
        from "Order" where "accountId" = ${id}::uuid and ("filledQty" > 0 or ("parentId" is null and "role" not in ('STOP', 'TARGET'))) group by 1, 2
        union all
        select date_part('year', "closedAt" at time zone 'America/New_York'), 'trips ' || "outcome", count(*), 0
        from "RoundTrip" where "accountId" = ${id}::uuid and "closedAt" is not null group by 1, 2
      ),
      real as (select * from spans cross join counted)
      select coalesce(k."kind", r."kind") || ' of ' || coalesce(k."year", r."year") || ' by ' || coalesce(k."span", r."span") as "subject",
        'kept ' || coalesce(k."count", 0) || ' and ' || coalesce(k."volume", 0) || ', its rows ' || coalesce(r."count", 0) || ' and ' || coalesce(r."volume", 0) as "detail"
      from kept k full join real r on r."span" = k."span" and r."year" = k."year" and r."kind" = k."kind"
      where k."count" is distinct from r."count" or k."volume" is distinct from r."volume"`,
  ],
];
