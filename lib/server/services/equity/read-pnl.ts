import { previousSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import { type Money, money, sum, ZERO } from "@/lib/domain/money.ts";
import { addDays, monthsBefore, newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Db, Tx } from "../../db.ts";
import { sessionOf } from "../../rows.ts";
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
  /** Null where the account was not read since the period began. */
  week: Money | null;
  month: Money | null;
  total: Money;
  /** The part of `total` that the account had made before it was ours. */
  earned: Money;
  /** The close that the day counts from; null where the account is younger. */
  before: Base | null;
}

interface Base {
  equity: Money;
  netDeposits: Money;
}

/** P&L of the accounts together in a period: those that were not read since it began add nothing. */
export const sumOfPnls = (each: readonly (Money | null)[]): Money => sum(each.filter((pnl) => pnl !== null));

/** The New York day of the latest reading, from which the periods of all accounts are measured; null without one. */
export const newestDay = (readings: readonly Pick<Reading, "asOf">[]): SessionDate | null =>
  readings
    .map(({ asOf }) => newYork(asOf).date)
    .sort()
    .at(-1) ?? null;

/**
 * P&L of each account since the last close before its New York day, the last one a week and a month before the newest of their
 * days, and in all. An account that we know for less than a period is counted from its first reading. Two statements, however
 * many accounts.
 */
export async function readPnls(db: Db, readings: readonly Reading[]): Promise<PeriodPnl[]> {
  const newest = newestDay(readings);
  if (newest === null) return [];
  const bases = { weekAgo: addDays(newest, -7), monthAgo: monthsBefore(newest, 1) };
  const ids = readings.map(({ accountId }) => accountId);
  const [starts, closes] = await Promise.all([readStarts(db, ids), readCloses(db, readings, bases)]);
  return Promise.all(
    readings.map((reading) =>
      pnlOf(db, reading, bases, starts.get(reading.accountId) ?? null, closes.get(reading.accountId) ?? []),
    ),
  );
}

/** Days with whose last close the periods begin. */
interface Bases {
  weekAgo: SessionDate;
  monthAgo: SessionDate;
}

async function pnlOf(
  db: Db,
  reading: Reading,
  bases: Bases,
  start: AccountStart | null,
  [yesterday = null, weekAgo = null, monthAgo = null]: (Close | null)[],
): Promise<PeriodPnl> {
  const [equity, netDeposits] = [money(reading.equity), money(reading.netDeposits)];
  const earned = start?.earned ?? ZERO;
  const since = (base: Base | null) =>
    base
      ? equity.minus(base.equity).minus(netDeposits.minus(base.netDeposits))
      : equity.minus(netDeposits).minus(earned);
  const today = newYork(reading.asOf).date;
  const unwritten = await unwrittenClose(db, reading, start, yesterday?.session ?? null);
  const sinceDay = (base: SessionDate, written: Base | null) =>
    today <= base ? null : since(base >= previousSession(today) ? (unwritten ?? written) : written);
  const before = unwritten ?? yesterday;
  return {
    day: since(before),
    week: sinceDay(bases.weekAgo, weekAgo),
    month: sinceDay(bases.monthAgo, monthAgo),
    total: equity.minus(netDeposits),
    earned,
    before,
  };
}

type Close = Base & { session: SessionDate };

interface CloseRow {
  accountId: string;
  /** Place of the day asked for. */
  nth: number;
  sessionDate: Date;
  equity: string;
  netDeposits: string;
}

/** The last closes on or before yesterday, a week ago and a month ago; null where the account is younger. */
async function readCloses(
  db: Db,
  readings: readonly Reading[],
  { weekAgo, monthAgo }: Bases,
): Promise<Map<string, (Close | null)[]>> {
  const wanted = readings.flatMap(({ accountId, asOf }) => {
    const days = [addDays(newYork(asOf).date, -1), weekAgo, monthAgo];
    return days.map((through, nth) => ({ accountId, nth, through }));
  });
  const rows = await db.$queryRaw<CloseRow[]>`
    select w."accountId", w."nth", p."sessionDate", p."equity"::text as "equity", p."netDeposits"::text as "netDeposits"
    from unnest(${wanted.map(({ accountId }) => accountId)}::uuid[], ${wanted.map(({ nth }) => nth)}::int[],
      ${wanted.map(({ through }) => through)}::date[]) as w("accountId", "nth", "through")
    cross join lateral (select "sessionDate", "equity", "netDeposits" from "EquityPoint"
      where "accountId" = w."accountId" and "isClose" and "sessionDate" <= w."through"
      order by "sessionDate" desc limit 1) p`;
  const closes = new Map<string, (Close | null)[]>(readings.map(({ accountId }) => [accountId, [null, null, null]]));
  for (const { accountId, nth, sessionDate, equity, netDeposits } of rows) {
    const close = { equity: money(equity), netDeposits: money(netDeposits), session: sessionOf(sessionDate) };
    closes.get(accountId)!.splice(nth, 1, close);
  }
  return closes;
}

/**
 * The close of the session before, while its point is not written, which is done in the next session: as the broker states
 * it with every reading. Null where `unwrittenSession` has none.
 */
export async function unwrittenClose(
  db: Tx,
  { accountId, asOf, lastEquity, netDeposits }: Omit<Reading, "equity">,
  start: Pick<AccountStart, "at"> | null,
  lastWritten: SessionDate | null,
): Promise<Base | null> {
  const prior = unwrittenSession(asOf, start, lastWritten);
  if (prior === null) return null;
  return { equity: money(lastEquity), netDeposits: money(netDeposits).minus(await flowsAfter(db, accountId, prior)) };
}

/**
 * The session before, of whose close the broker speaks. Null where its point is there, where the account was not ours then,
 * and after today's close, when the broker may already speak of that one.
 */
export function unwrittenSession(
  asOf: Date,
  start: Pick<AccountStart, "at"> | null,
  lastWritten: SessionDate | null,
): SessionDate | null {
  const today = newYork(asOf).date;
  const prior = previousSession(today);
  if (start === null || (lastWritten !== null && lastWritten >= prior)) return null;
  const hours = sessionHours(prior);
  const closing = sessionHours(today);
  if (!hours || start.at.toISOString() > hours.closesAt) return null;
  return closing && asOf.toISOString() >= closing.closesAt ? null : prior;
}
