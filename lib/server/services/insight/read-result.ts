import type { BriefFacts } from "@/lib/domain/insight/facts.ts";
import { previousSession, sessionHours } from "@/lib/domain/market-calendar.ts";
import { type DecimalText, money, sum, text, ZERO } from "@/lib/domain/money.ts";
import { newYork, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { dateOf } from "../../rows.ts";
import { readStarts } from "../equity/read-starts.ts";
import { readPnls, type Reading, sumOfPnls, unwrittenClose } from "../equity/read-pnl.ts";
import type { BriefAccount, BriefScope } from "./accounts-of-brief.ts";

interface DayResult {
  result: BriefFacts["result"];
  /** Market time of the oldest reading in the sums. */
  asOf: Date;
  isClosed: boolean;
}

/**
 * The session's P&L by the rule of the dashboard's Day figure. Accounts that were not read since the session began are left
 * out; `latest` dates the brief where none was.
 */
export async function readResult(
  { db }: Pick<Context, "db">,
  { accounts, session }: BriefScope,
  latest: Date,
): Promise<DayResult> {
  const known = await Promise.all(accounts.map((account) => readingOf({ db }, account, session)));
  const readings = known.filter((reading) => reading !== null);
  const latestMs = Math.max(latest.getTime(), ...accounts.map(({ figures }) => figures?.asOf?.getTime() ?? 0));
  const closesAt = sessionHours(session)?.closesAt;
  const isClosed = closesAt !== undefined && latestMs >= Date.parse(closesAt);
  if (readings.length === 0) return { result: null, asOf: latest, isClosed };

  const days = await readPnls(db, readings);
  const pnl = sum(days.map(({ day }) => day));
  const before = sum(days.map((day) => day.before?.equity ?? ZERO));
  const deposits = sum(readings.map(({ netDeposits }) => money(netDeposits)));
  // What an account that begins today had earned before came in with it.
  const flows = deposits.minus(sum(days.map((day) => day.before?.netDeposits ?? day.earned.negated())));
  return {
    result: {
      accounts: readings.length,
      equity: text(sum(readings.map(({ equity }) => money(equity)))),
      pnl: text(pnl),
      pnlPercent: flows.isZero() && before.gt(ZERO) ? pnl.div(before).times(100).toNumber() : null,
      flows: text(flows),
      isSinceStart: days.every((day) => day.before === null),
    },
    asOf: new Date(Math.min(...readings.map(({ asOf }) => asOf.getTime()))),
    isClosed,
  };
}

/**
 * P&L of the last seven days, from the latest readings as the dashboard's Week figure is, which stands on the same page; null
 * where nothing was read.
 */
export async function readWeekPnl(
  { db }: Pick<Context, "db">,
  accounts: readonly BriefAccount[],
): Promise<DecimalText | null> {
  const readings = accounts.flatMap(({ figures }) => (figures?.asOf ? [{ ...figures, asOf: figures.asOf }] : []));
  if (readings.length === 0) return null;
  return text(sumOfPnls((await readPnls(db, readings)).map(({ week }) => week)));
}

/**
 * The account's latest reading in the session: at its close once a later day has begun, be it as the broker states it while
 * the closing point is not written. Null where the account was not read, or where its close is not known.
 */
async function readingOf(
  { db }: Pick<Context, "db">,
  { id: accountId, figures }: BriefAccount,
  session: SessionDate,
): Promise<Reading | null> {
  const closesAt = sessionHours(session)?.closesAt;
  if (!figures?.asOf || closesAt === undefined) return null;
  const latest = { ...figures, asOf: figures.asOf };
  const today = newYork(latest.asOf).date;
  if (today === session) return latest;
  if (today < session) return null;
  const atClose = { accountId, lastEquity: ZERO, asOf: new Date(closesAt) };
  const point = await db.equityPoint.findFirst({ where: { accountId, sessionDate: dateOf(session), isClose: true } });
  if (point) return { ...atClose, equity: point.equity, netDeposits: point.netDeposits };
  if (previousSession(today) !== session) return null;
  const start = (await readStarts(db, [accountId])).get(accountId) ?? null;
  const close = await unwrittenClose(db, latest, start, null);
  return close && { ...atClose, ...close };
}
