import { Prisma } from "../../db.ts";
import type { InvariantId } from "./table.ts";

/**
 * Each answers the rows that break its invariant, as `subject` and `detail`. `accountId` is an expression: one statement asks the same of
 * several accounts, one after the other.
 */
export type Query = (accountId: Prisma.Sql, now: Date) => Prisma.Sql;

/** States in which an intent may have reached the broker. */
const SENT = Prisma.sql`('SUBMITTING', 'UNKNOWN', 'PARKED', 'LIVE', 'FILLED', 'CANCELED', 'REJECTED', 'EXPIRED')`;
const FINAL_ORDER = Prisma.sql`('FILLED', 'CANCELED', 'EXPIRED', 'REJECTED', 'REPLACED')`;

/** Whether a kill state forbids the intent `i`: entries from NO_NEW_ENTRIES on, every purchase from REDUCE_ONLY on. */
const isStoppedBy = (state: Prisma.Sql) => Prisma.sql`
  (${state} in ('NO_NEW_ENTRIES', 'REDUCE_ONLY', 'FLATTEN') and i."purpose" = 'ENTRY'
    or ${state} in ('REDUCE_ONLY', 'FLATTEN') and i."side" = 'BUY')`;

const ORDER_PRICE = Prisma.sql`coalesce(o."limitPrice", o."stopPrice")`;
const DECIDED_PRICE = Prisma.sql`coalesce(i."limitPrice", i."stopPrice")`;

/** Orders, intents, gates and the switches: what was sent, and whether it might. */
export const orderQueries: [InvariantId, Query][] = [
  [
    "I1",
    (id) => Prisma.sql`
      select o."clientOrderId" as "subject",
        case when i."id" is null then 'an order of ours without its intent' else 'the order is not the one that was decided' end as "detail"
      from "Order" o left join "Intent" i on i."id" = o."intentId"
      where o."accountId" = ${id} and o."origin" = 'OURS' and o."parentId" is null
        -- An order that replaces another at the broker has its own id and size.
        and not exists (select 1 from "Order" r where r."accountId" = o."accountId" and r."replacedById" = o."brokerOrderId")
        and (i."id" is null or i."accountId" <> o."accountId" or i."side" <> o."side" or i."clientOrderId" <> o."clientOrderId"
          -- An order that waits over a change of its symbol is there under the new one.
          or (i."symbol" <> o."symbol" and not exists (select 1 from "AppliedCorporateAction" c
            where c."accountId" = o."accountId" and c."symbol" = o."symbol" and c."appliedAt" >= o."createdAt"))
          -- A split rewrites the orders that wait. Where no share is held the broker lists no activity: the price has moved against the size.
          or (i."qty" is distinct from o."qty" and not exists (select 1 from "AppliedCorporateAction" c
            where c."accountId" = o."accountId" and c."symbol" = o."symbol" and c."appliedAt" >= o."createdAt")
            and not coalesce(${ORDER_PRICE} <> ${DECIDED_PRICE}
              and abs(o."qty" * ${ORDER_PRICE} - i."qty" * ${DECIDED_PRICE}) <= 0.01 * greatest(o."qty", i."qty"), false)))
      union all
      select o."clientOrderId", 'an order with our id that we did not decide'
      from "Order" o join "Intent" i on i."clientOrderId" = o."clientOrderId"
      where o."accountId" = ${id} and o."origin" = 'EXTERNAL'
        -- Decided for this very account at the broker, before it was removed here and connected again.
        and not exists (select 1 from "Account" was join "Account" a on a."brokerAccountId" = was."brokerAccountId"
          where was."id" = i."accountId" and was."deletedAt" is not null and a."id" = o."accountId")
      union all
      select i."clientOrderId", 'the intent is ' || lower(i."status"::text) || ' and has ' || count(o."id") || ' orders'
      from "Intent" i left join "Order" o on o."intentId" = i."id" and o."parentId" is null and o."clientOrderId" = i."clientOrderId"
      where i."accountId" = ${id} and i."status" in ('LIVE', 'FILLED', 'CANCELED')
      group by i."id" having count(o."id") <> 1`,
  ],
  [
    "I2",
    (id) => Prisma.sql`
      select "clientOrderId" as "subject", count(*) || ' orders with this id' as "detail"
      from "Order" where "accountId" = ${id} group by "clientOrderId" having count(*) > 1
      union all
      select 'leg ' || "leg" || ' of plan ' || "planId", count(*) || ' live or filled attempts'
      from "Intent" where "accountId" = ${id} and "status" in ('GATED', 'SUBMITTING', 'UNKNOWN', 'LIVE', 'FILLED')
      group by "planId", "leg" having count(*) > 1`,
  ],
  [
    "I6",
    (id) => Prisma.sql`
      select i."clientOrderId" as "subject", 'sent without a passed gate before it' as "detail"
      from "Intent" i
      where i."accountId" = ${id} and (i."status" in ${SENT} or i."submittedAt" is not null)
        and (not exists (select 1 from "GateVerdict" g where g."id" = i."gateVerdictId" and g."intentId" = i."id" and g."phase" = 'T1' and g."passed")
          or not exists (select 1 from "GateVerdict" g join "GateVerdict" f on f."id" = i."gateVerdictId"
            where g."intentId" = i."id" and g."phase" = 'T2' and g."passed" and g."policyVersion" = f."policyVersion"
              and g."createdAt" <= i."submittedAt" + interval '15 seconds'))`,
  ],
  [
    "I7",
    // The mark waits for the lock that a halt holds, so its time may be a moment later than the halt's; and a halt does not
    // stop the protection of bare shares. (`isPutBack`: how older rows say so.)
    (id) => Prisma.sql`
      select i."clientOrderId" as "subject", 'sent while the account was halted' as "detail"
      from "Intent" i join "Account" a on a."id" = i."accountId"
      where a."id" = ${id} and a."haltedAt" is not null and i."submittedAt" > a."haltedAt" + interval '5 seconds'
        and not (i."side" = 'SELL' and i."purpose" in ('PROTECT', 'EXIT') and exists (select 1 from "GateVerdict" g
          where g."intentId" = i."id" and g."phase" = 'T2' and g."passed"
            and 'true' in (g."inputs" ->> 'isProtective', g."inputs" ->> 'isPutBack')))
      union all
      select i."clientOrderId", 'sent while a kill switch forbade it'
      from "Intent" i join "Account" a on a."id" = i."accountId" join "User" u on u."id" = a."userId"
        join "SystemState" s on s."id" = 1 left join "SymbolStop" y on y."market" = a."market" and y."symbol" = i."symbol"
      where i."accountId" = ${id}
        and ((${isStoppedBy(Prisma.sql`s."killState"::text`)} and i."submittedAt" > s."killSetAt" + interval '5 seconds')
          or (${isStoppedBy(Prisma.sql`u."killState"::text`)} and i."submittedAt" > u."killSetAt" + interval '5 seconds')
          or (${isStoppedBy(Prisma.sql`'REDUCE_ONLY'`)} and i."submittedAt" > y."setAt" + interval '5 seconds')
          or (${isStoppedBy(Prisma.sql`a."killState"::text`)} and i."submittedAt" > a."killSetAt" + interval '5 seconds'))
      union all
      select i."clientOrderId", 'sent although the last look saw a kill switch'
      from "Intent" i join "GateVerdict" g on g."intentId" = i."id" and g."phase" = 'T2' and g."passed"
      where i."accountId" = ${id}
        and (${isStoppedBy(Prisma.sql`g."inputs" ->> 'killState'`)} or ${isStoppedBy(Prisma.sql`g."inputs" ->> 'systemKillState'`)}
          or ${isStoppedBy(Prisma.sql`g."inputs" ->> 'userKillState'`)}
          or (g."inputs" ->> 'isSymbolStopped' = 'true' and ${isStoppedBy(Prisma.sql`'REDUCE_ONLY'`)}))`,
  ],
  [
    "I8",
    (id) => Prisma.sql`
      select o."clientOrderId" as "subject", 'the order is ' || lower(o."status"::text) || ', its intent ' || lower(i."status"::text) as "detail"
      from "Order" o join "Intent" i on i."id" = o."intentId" and i."clientOrderId" = o."clientOrderId"
      where o."accountId" = ${id} and o."origin" = 'OURS' and o."parentId" is null and o."status" <> 'REPLACED'
        and i."status"::text <> case when o."status" in ${FINAL_ORDER} then o."status"::text else 'LIVE' end
        and not (i."status" = 'PARKED' and o."status" not in ${FINAL_ORDER})
      union all
      select o."clientOrderId", 'the order is ' || lower(o."status"::text) || ' without its time'
      from "Order" o
      where o."accountId" = ${id} and ((o."status" = 'FILLED' and o."filledAt" is null)
        or (o."status" in ('CANCELED', 'EXPIRED', 'REJECTED', 'REPLACED') and o."endedAt" is null))`,
  ],
  [
    "I9",
    (id, now) => Prisma.sql`
      select "clientOrderId" as "subject", lower("status"::text) || ' for more than 15 minutes' as "detail"
      from "Intent"
      where "accountId" = ${id} and "status" in ('PLANNED', 'GATED', 'SUBMITTING', 'UNKNOWN')
        and coalesce("submittedAt", "createdAt") < ${now}::timestamptz - interval '15 minutes'`,
  ],
  [
    "I10",
    (id) => Prisma.sql`
      select i."clientOrderId" as "subject", 'sent over the gate ' || coalesce(r ->> 'code', 'that was not asked') as "detail"
      from "Intent" i join "GateVerdict" g on g."intentId" = i."id" and g."phase" = 'T2' and g."passed"
        left join lateral jsonb_array_elements(g."results") r on true
      where i."accountId" = ${id} and i."submittedAt" is not null
        and (r is null or ((r ->> 'passed') <> 'true' and coalesce(r ->> 'isWarning', 'false') <> 'true'))`,
  ],
  [
    "I12",
    (id, now) => Prisma.sql`
      select i."clientOrderId" as "subject", 'sent without a row in the audit chain' as "detail"
      from "Intent" i
      where i."accountId" = ${id} and i."submitEpoch" is not null and i."submittedAt" > ${now}::timestamptz - interval '2 days'
        and exists (select 1 from "GateVerdict" g where g."intentId" = i."id" and g."phase" = 'T2' and g."passed")
        and not exists (select 1 from "AuditEvent" e where e."eventType" = 'ORDER_SENT' and e."data" ->> 'clientOrderId' = i."clientOrderId")`,
  ],
  [
    "I26",
    (id, now) => Prisma.sql`
      select "symbol" as "subject", "qty" || ' shares without a live stop for more than 30 s: ' || coalesce("lastError", "reason") as "detail"
      from "OwedStop"
      where "accountId" = ${id} and "paidAt" is null and "bareSince" < ${now}::timestamptz - interval '30 seconds'`,
  ],
  [
    "I24",
    (id, now) => Prisma.sql`
      select 'reconciliation' as "subject", coalesce('last at ' || "reconciledAt", 'never') as "detail"
      from "Account"
      where "id" = ${id} and "deletedAt" is null and "sealedKeys" is not null
        and ("reconciledAt" is null or "reconciledAt" < ${now}::timestamptz - interval '1 minute')
        and "createdAt" < ${now}::timestamptz - interval '1 minute'`,
  ],
];
