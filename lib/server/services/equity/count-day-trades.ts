import { addSessions, isSession, previousSession, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { dayTradeCount } from "@/lib/domain/metrics.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

const SESSIONS = 5;

/**
 * The most day trades of any one of the accounts, over the five sessions up to its latest reading: the rule and its warning
 * speak of an account, so that those of several are never added up. Counted by us: brokers no longer report them.
 */
export async function countDayTrades({ db }: Pick<Context, "db">, accountIds: string[]): Promise<number> {
  if (accountIds.length === 0) return 0;
  const figures = await db.accountFigures.findMany({
    where: { accountId: { in: accountIds } },
    select: { accountId: true, asOf: true },
  });
  let most = 0;
  for (const { accountId, asOf } of figures) {
    if (!asOf) continue;
    const { date } = newYork(asOf);
    const last = isSession(date) ? date : previousSession(date);
    const first = addSessions(last, 1 - SESSIONS);
    const fills = await db.fill.findMany({
      where: {
        accountId,
        at: { gte: new Date(newYorkInstant(first, 0, 0)) },
        // What no venue traded is no day trade.
        source: { notIn: ["ACTIVITY", "ADJUSTMENT"] },
      },
      select: { symbol: true, side: true, at: true },
      // Executions of one moment stay as they came: a turn is never lost or made by the order of the answer.
      orderBy: [{ at: "asc" }, { id: "asc" }],
    });
    const dated = fills.map((fill) => ({ ...fill, at: fill.at.toISOString() }));
    most = Math.max(most, dayTradeCount(dated, sessionsBetween(first, last), SESSIONS));
  }
  return most;
}
