import { DAY_MS, newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

/** Sessions that the count looks back over. */
const SESSIONS = 5;

/**
 * Day trades of the accounts: buy and sell of one symbol in one session, over the last five sessions
 * with fills dated from the newest fill. Counted by us, because brokers no longer report them.
 */
export async function countDayTrades({ db }: Pick<Context, "db">, accountIds: string[]): Promise<number> {
  if (accountIds.length === 0) return 0;
  const figures = await db.accountFigures.findMany({
    where: { accountId: { in: accountIds } },
    select: { accountId: true, asOf: true },
  });
  let count = 0;
  for (const { accountId, asOf } of figures) {
    if (!asOf) continue;
    // Five sessions lie within nine calendar days, holidays included.
    const fills = await db.fill.findMany({
      where: { accountId, at: { gte: new Date(asOf.getTime() - 9 * DAY_MS) } },
      select: { symbol: true, side: true, at: true },
    });
    const lastSessions = recentWeekdays(newYork(asOf).date, SESSIONS);
    const sides = new Map<string, Set<string>>();
    for (const fill of fills) {
      const session = newYork(fill.at).date;
      if (!lastSessions.has(session)) continue;
      const key = `${session} ${fill.symbol}`;
      sides.set(key, (sides.get(key) ?? new Set()).add(fill.side));
    }
    count += [...sides.values()].filter((both) => both.size === 2).length;
  }
  return count;
}

/** The last n weekdays up to a date: a holiday only makes the window wider, never narrower than it should be. */
function recentWeekdays(date: string, n: number): Set<string> {
  const days = new Set<string>();
  for (let at = Date.parse(`${date}T00:00:00Z`); days.size < n; at -= DAY_MS) {
    const weekday = new Date(at).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days.add(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
