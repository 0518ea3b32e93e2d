import type { SideName } from "@/lib/domain/enums.ts";
import { addSessions, isSession, previousSession, sessionsBetween } from "@/lib/domain/market-calendar.ts";
import { dayTradeCount } from "@/lib/domain/metrics.ts";
import { newYork } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { listOf } from "../../core/list-of.ts";
import { Prisma } from "../../db.ts";

const SESSIONS = 5;
/** No five sessions of the calendar take as long. */
const DAYS = 20;

/** What day trades are counted from. */
export interface DatedFill {
  symbol: string;
  side: SideName;
  /** Market time. */
  at: string;
}

/**
 * The most day trades of any one of the accounts, over the five sessions up to its latest reading: the rule and its warning
 * speak of an account, so that those of several are never added up. Counted by us: brokers no longer report them.
 */
export async function countDayTrades({ db }: Pick<Context, "db">, accountIds: string[]): Promise<number> {
  if (accountIds.length === 0) return 0;
  const rows = await db.$queryRaw<{ asOf: Date | null; fills: DatedFill[] }[]>`
    select f."asOf", ${listOf(fillsBefore(Prisma.sql`f."accountId"`, Prisma.sql`f."asOf"`))} as "fills"
    from "AccountFigures" f where f."accountId" = any(${accountIds}::uuid[])`;
  return Math.max(0, ...rows.map(({ asOf, fills }) => dayTradesIn(fills, asOf)));
}

/**
 * An account's fills that may be part of day trades up to a reading, as a query. What no venue traded is no day trade. Executions of one
 * moment stay as they came: a turn is never lost or made by the order of the answer.
 */
export const fillsBefore = (accountId: Prisma.Sql, asOf: Prisma.Sql) => Prisma.sql`
  select "symbol", "side", "at" from "Fill"
  where "accountId" = ${accountId} and "at" >= ${asOf} - ${DAYS}::int * interval '1 day' and "source" not in ('ACTIVITY', 'ADJUSTMENT')
  order by "at", "id"`;

/** The day trades among the fills over the five sessions up to the reading; none before the first one. */
export function dayTradesIn(fills: readonly DatedFill[], asOf: Date | null): number {
  if (asOf === null) return 0;
  const { date } = newYork(asOf);
  const last = isSession(date) ? date : previousSession(date);
  const sessions = sessionsBetween(addSessions(last, 1 - SESSIONS), last);
  const dated = fills.map(({ symbol, side, at }) => ({ symbol, side, at: new Date(at).toISOString() }));
  return dayTradeCount(dated, sessions, SESSIONS);
}
