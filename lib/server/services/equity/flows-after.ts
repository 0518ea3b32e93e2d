import { type Money, money, ZERO } from "@/lib/domain/money.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";
import type { Tx } from "../../db.ts";

/** USD that came from outside less what went there, on the days after a session: what was not there at its close. */
export async function flowsAfter(db: Tx, accountId: string, session: SessionDate): Promise<Money> {
  return (await readFlowsAfter(db, [accountId], session)).get(accountId) ?? ZERO;
}

/** The same of several accounts, in one statement; those without a flow are absent. */
export async function readFlowsAfter(
  db: Tx,
  accountIds: readonly string[],
  session: SessionDate,
): Promise<Map<string, Money>> {
  const sums = await db.cashFlow.groupBy({
    by: ["accountId"],
    where: {
      accountId: { in: [...accountIds] },
      isExternal: true,
      at: { gte: new Date(newYorkInstant(addDays(session, 1), 0, 0)) },
    },
    _sum: { amount: true },
  });
  return new Map(sums.map(({ accountId, _sum }) => [accountId, money(_sum.amount ?? 0)]));
}
