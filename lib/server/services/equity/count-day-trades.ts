import { addSessions, isSession, previousSession, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { dayTradeCount } from "@/lib/domain/metrics.ts";
import { newYork, newYorkInstant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { byAccount } from "../../core/by-account.ts";
import type { Tx } from "../../db.ts";

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
  return Math.max(0, ...(await readDayTrades({ db }, figures)).values());
}

interface LatestReading {
  accountId: string;
  /** Market time; null before the first one. */
  asOf: Date | null;
}

/** The day trades of each of the accounts that were ever read, in one statement. */
export async function readDayTrades(
  { db }: { db: Tx },
  readings: readonly LatestReading[],
): Promise<Map<string, number>> {
  const spans = readings.flatMap(({ accountId, asOf }) => {
    if (!asOf) return [];
    const { date } = newYork(asOf);
    const last = isSession(date) ? date : previousSession(date);
    const first = addSessions(last, 1 - SESSIONS);
    return [{ accountId, first, last, from: new Date(newYorkInstant(first, 0, 0)) }];
  });
  if (spans.length === 0) return new Map();
  const fills = await db.fill.findMany({
    where: {
      accountId: { in: spans.map(({ accountId }) => accountId) },
      at: { gte: new Date(Math.min(...spans.map(({ from }) => from.getTime()))) },
      // What no venue traded is no day trade.
      source: { notIn: ["ACTIVITY", "ADJUSTMENT"] },
    },
    select: { accountId: true, symbol: true, side: true, at: true },
    // Executions of one moment stay as they came: a turn is never lost or made by the order of the answer.
    orderBy: [{ at: "asc" }, { id: "asc" }],
  });
  const fillsOf = byAccount(fills);
  return new Map(
    spans.map(({ accountId, first, last, from }) => {
      const own = fillsOf(accountId).filter(({ at }) => at >= from);
      const dated = own.map(({ symbol, side, at }) => ({ symbol, side, at: at.toISOString() }));
      return [accountId, dayTradeCount(dated, sessionsBetween(first, last), SESSIONS)];
    }),
  );
}
