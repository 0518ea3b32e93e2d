import { previousSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Money, money } from "@/lib/domain/money.ts";
import { addDays, monthsBefore, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Db } from "../../db.ts";
import { dateOf, sessionOf } from "../../rows.ts";
import { flowsAfter } from "./flows-after.ts";
import { type AccountStart, readStarts } from "./read-starts.ts";

type Stored = { toString(): string };

/** An account's latest reading at its broker; amounts in USD. */
export interface Reading {
  accountId: string;
  equity: Stored;
  /** Equity at the close before. */
  lastEquity: Stored;
  netDeposits: Stored;
  /** market */
  asOf: Date;
}

/** Change of equity less external flows, USD. */
interface PeriodPnl {
  day: Money;
  week: Money;
  month: Money;
  total: Money;
  /** The close that the day counts from; null where the account is younger. */
  before: Base | null;
}

interface Base {
  equity: Money;
  netDeposits: Money;
}

/**
 * P&L of one account since the last close before this New York day, the last one a week and a month ago, and in all. An
 * account that we know for less than a period is counted from its first reading.
 */
export async function readPnl(db: Db, reading: Reading): Promise<PeriodPnl> {
  const [equity, netDeposits] = [money(reading.equity), money(reading.netDeposits)];
  const today = newYork(reading.asOf).date;
  const start = (await readStarts(db, [reading.accountId])).get(reading.accountId) ?? null;
  const since = (base: Base | null) =>
    base
      ? equity.minus(base.equity).minus(netDeposits.minus(base.netDeposits))
      : equity.minus(netDeposits).minus(start?.earned ?? 0);
  const closeOn = (through: SessionDate) => closeThrough(db, reading.accountId, through);
  const [yesterday, weekAgo, monthAgo] = await Promise.all([
    closeOn(addDays(today, -1)),
    closeOn(addDays(today, -7)),
    closeOn(monthsBefore(today, 1)),
  ]);
  const before = (await unwrittenClose(db, reading, start, yesterday?.session ?? null)) ?? yesterday;
  return {
    day: since(before),
    week: since(weekAgo),
    month: since(monthAgo),
    total: equity.minus(netDeposits),
    before,
  };
}

/** The last close on or before a date; null when the account is younger. */
async function closeThrough(
  db: Db,
  accountId: string,
  through: SessionDate,
): Promise<(Base & { session: SessionDate }) | null> {
  const point = await db.equityPoint.findFirst({
    where: { accountId, isClose: true, sessionDate: { lte: dateOf(through) } },
    orderBy: { sessionDate: "desc" },
  });
  return (
    point && {
      equity: money(point.equity),
      netDeposits: money(point.netDeposits),
      session: sessionOf(point.sessionDate),
    }
  );
}

/**
 * The close of the session before, while its point is not written, which is done in the next session: as the broker states
 * it with every reading. Null where the point is there, where the account was not ours then, and after today's close, when
 * the broker may already speak of that one.
 */
export async function unwrittenClose(
  db: Db,
  { accountId, asOf, lastEquity, netDeposits }: Omit<Reading, "equity">,
  start: AccountStart | null,
  lastWritten: SessionDate | null,
): Promise<Base | null> {
  const today = newYork(asOf).date;
  const prior = previousSession(today);
  if (start === null || (lastWritten !== null && lastWritten >= prior)) return null;
  const hours = sessionHours(prior);
  const closing = sessionHours(today);
  if (!hours || start.at.toISOString() > hours.closesAt) return null;
  if (closing && asOf.toISOString() >= closing.closesAt) return null;
  return { equity: money(lastEquity), netDeposits: money(netDeposits).minus(await flowsAfter(db, accountId, prior)) };
}
