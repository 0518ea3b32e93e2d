import { type Money, money } from "@/lib/domain/money.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Db, Tx } from "../../db.ts";

/** USD that came from outside less what went there, on the days after a session: what was not there at its close. */
export async function flowsAfter(db: Db | Tx, accountId: string, session: SessionDate): Promise<Money> {
  const { _sum } = await db.cashFlow.aggregate({
    where: { accountId, isExternal: true, at: { gte: new Date(newYorkInstant(addDays(session, 1), 0, 0)) } },
    _sum: { amount: true },
  });
  return money(_sum.amount ?? 0);
}
