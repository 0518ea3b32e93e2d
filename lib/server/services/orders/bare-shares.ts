import { money, ZERO, type Money } from "@/lib/domain/money.ts";
import { WORKING_STATUSES } from "@/lib/domain/orders.ts";
import { coverageOf } from "@/lib/domain/protection.ts";
import { latestOf } from "@/lib/domain/wall-clock.ts";
import { Prisma, type Db } from "../../db.ts";
import { protectedQuantity } from "./protected-quantity.ts";

export interface BarePosition {
  position: Prisma.PositionGetPayload<object>;
  bare: Money;
}

/** Positions of ours of which a whole share or more has neither a live stop nor an order that sells it, by our books. */
export async function bareShares(db: Db, accountId: string): Promise<BarePosition[]> {
  const [positions, stopped, sells] = await Promise.all([
    db.position.findMany({
      where: { accountId, strategy: { not: null }, qty: { gte: 1 } },
      orderBy: { symbol: "asc" },
    }),
    protectedQuantity(db, accountId),
    db.order.findMany({
      where: {
        accountId,
        side: "SELL",
        role: { in: ["EXIT", "EXTERNAL"] },
        type: { notIn: ["STOP", "STOP_LIMIT", "TRAILING_STOP"] },
        status: { in: WORKING_STATUSES.filter((status) => status !== "HELD") },
      },
      select: { symbol: true, qty: true, filledQty: true },
    }),
  ]);
  const selling = new Map<string, Money>();
  for (const { symbol, qty, filledQty } of sells)
    selling.set(symbol, (selling.get(symbol) ?? ZERO).plus(money(qty ?? 0).minus(money(filledQty))));
  return positions.flatMap((position) => {
    const { symbol } = position;
    const { bare } = coverageOf({
      held: money(position.qty),
      stopped: stopped.get(symbol) ?? ZERO,
      selling: selling.get(symbol) ?? ZERO,
    });
    return bare.gte(1) ? [{ position, bare }] : [];
  });
}

/** Shares whose price is through the stop while the market is closed can only be sold: they wait for the opening, looked at again after this. */
export const WHILE_CLOSED_MS = 10_000;
/** No attempt is put off for longer. */
export const TRY_AGAIN_MOST_MS = 60_000;
export const AWAITS_OPENING = "the price is through the stop and the market is closed";

/**
 * Accounts with bare shares of a symbol whose open owed stop is not `excepted`. What it counts is decided again by `bareShares`. The working orders of
 * an account are read once, by its index, not once for each position: every worker asks every two seconds.
 */
function withBareShares(excepted: Prisma.Sql, asked = Prisma.empty): Prisma.Sql {
  const working = Prisma.join(WORKING_STATUSES.map((status) => Prisma.sql`${status}::"OrderStatus"`));
  return Prisma.sql`
    select a."id" as "accountId" from "Account" a
    where a."deletedAt" is null and a."sealedKeys" is not null ${asked} and exists (
      select 1 from "Position" p left join (
        select o."symbol", sum(coalesce(o."qty", 0) - o."filledQty") as "qty" from "Order" o
        where o."accountId" = a."id" and o."side" = 'SELL' and o."status" in (${working})
          and case when o."type" in ('STOP', 'STOP_LIMIT', 'TRAILING_STOP')
            then coalesce((select q."status" = 'FILLED' or q."role" = 'TARGET' from "Order" q where q."id" = o."parentId"), true)
            else o."role" in ('EXIT', 'EXTERNAL') and o."status" <> 'HELD' end
        group by o."symbol") s on s."symbol" = p."symbol"
      where p."accountId" = a."id" and p."strategy" is not null and floor(p."qty") > coalesce(s."qty", 0)
        and not exists (select 1 from "OwedStop" w where w."accountId" = a."id" and w."symbol" = p."symbol"
          and w."paidAt" is null and ${excepted}))`;
}

/** Accounts that may hold bare shares or owe a stop whose next attempt is due: one query over all of them. `among`: of these accounts alone. */
export async function accountsToProtect(db: Db, now: Date, among?: readonly string[]): Promise<string[]> {
  const asked = among === undefined ? Prisma.empty : Prisma.sql`and a."id" = any(${[...among]}::uuid[])`;
  const latest = latestOf(TRY_AGAIN_MOST_MS, now);
  const rows = await db.$queryRaw<{ accountId: string }[]>`
    ${withBareShares(Prisma.sql`w."nextTryAt" > ${now}::timestamptz and w."nextTryAt" <= ${latest}::timestamptz`, asked)}
    union
    select w."accountId" from "OwedStop" w join "Account" a on a."id" = w."accountId"
    where w."paidAt" is null and (w."nextTryAt" is null or w."nextTryAt" <= ${now}::timestamptz or w."nextTryAt" > ${latest}::timestamptz)
      and a."deletedAt" is null and a."sealedKeys" is not null ${asked}`;
  return rows.map(({ accountId }) => accountId).sort();
}

/**
 * Accounts that hold bare shares now, whenever the next attempt is due: a stop that the broker keeps refusing is not due for most of the time.
 * Without shares that only wait for the opening, until a second look at them is late.
 */
export async function countBareAccounts(db: Db, now: Date): Promise<number> {
  const looked = new Date(now.getTime() - WHILE_CLOSED_MS);
  const waits = Prisma.sql`w."lastError" = ${AWAITS_OPENING} and w."nextTryAt" > ${looked}::timestamptz`;
  const [row] = await db.$queryRaw<
    [{ accounts: number }]
  >`select count(*)::int as "accounts" from (${withBareShares(waits)}) bare`;
  return row.accounts;
}
