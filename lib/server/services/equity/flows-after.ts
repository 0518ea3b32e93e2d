import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import { Prisma, type Tx } from "../../db.ts";

/** USD that came from outside less what went there, after the close of a session: what was not there at its close. */
export async function flowsAfter(db: Tx, accountId: string, session: SessionDate): Promise<Money> {
  const [row] = await db.$queryRaw<{ sum: string }[]>(sumOfFlows(Prisma.sql`${accountId}::uuid`, session));
  return money(row?.sum ?? 0);
}

/** The same as a query: exact, as text. Money of which the day alone is known was there at that day's close. */
export function sumOfFlows(accountId: Prisma.Sql, after: SessionDate): Prisma.Sql {
  const nextDay = newYorkInstant(addDays(after, 1), 0, 0);
  const closesAt = sessionHours(after)?.closesAt ?? nextDay;
  return Prisma.sql`
    select coalesce(sum("amount"), 0)::text as "sum" from "CashFlow" where "accountId" = ${accountId} and "isExternal"
      and ("at" >= ${new Date(nextDay)}::timestamptz or "movedAt" > ${new Date(closesAt)}::timestamptz)`;
}
