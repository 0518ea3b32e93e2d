import type { MarketName } from "@/lib/domain/enums.ts";
import { reportDaysAhead, reportDaysBack } from "@/lib/domain/look-back.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { announcedReports, type EstimatedEarnings, estimateEarnings } from "./estimate-earnings.ts";

/** The eighth quarterly report before a session lies up to 735 days back, and some companies are late. */
const REPORT_DAYS = 800;
/** Filed this near to the day that a calendar gave, it is the same report. */
const SAME_REPORT_DAYS = 7;

interface HeldReports {
  /** The session that they were last read for. */
  session: SessionDate;
  /** Reports before that session; of a calendar without past reports those that it gave for days since, too. */
  rows: EarningsRow[];
}

/** Past reports do not change: each market's are kept in the process and extended by each session's reading. */
const known = new Map<string, HeldReports>();

export interface Earnings {
  /** Reports around the session; null when the source is unavailable, and entries wait. */
  near: EarningsRow[] | null;
  /** Where no calendar is configured: what the companies' own filings let expect. */
  estimates: EstimatedEarnings | null;
  /** Reports before the session, up to `REPORT_DAYS` back; as far as they could be read. */
  past: EarningsRow[];
}

/** Earnings reports around a session, and those before it. One question a session, a second one at the first. */
export async function readEarnings(
  context: Context,
  market: MarketName,
  session: SessionDate,
  policy: Policy,
): Promise<Earnings> {
  const { earningsCalendar } = context.marketData(market);
  if (earningsCalendar === null) {
    const estimates = await estimateEarnings(context, session);
    context.log.info("earnings.estimated", { market, count: estimates.size });
    return { near: null, past: [], estimates };
  }
  const cached = known.get(market);
  const oldest = addDays(session, -REPORT_DAYS);
  // A market that went back in time is another market, and so is one of years ago: start over.
  const held = cached && cached.session <= session && cached.session > oldest ? cached : null;
  const ahead = Math.max(reportDaysAhead(policy), policy.selector_top50.watchlist_days);
  const [wanted, until] = [addDays(session, -reportDaysBack(policy)), addDays(session, ahead)];
  const question = { market, session, oldest, held, wanted, until };
  return earningsCalendar.coversPast ? readWhole(context, question) : readComing(context, question);
}

interface Question {
  market: MarketName;
  session: SessionDate;
  /** The first day of past reports. */
  oldest: SessionDate;
  held: HeldReports | null;
  /** The first day of the reports around the session. */
  wanted: SessionDate;
  /** The last day of them. */
  until: SessionDate;
}

async function readWhole(
  context: Context,
  { market, session, oldest, held, wanted, until }: Question,
): Promise<Earnings> {
  const data = context.marketData(market);
  // After a long sleep the question reaches back to where the last one ended.
  const from = held && held.session < wanted ? held.session : wanted;
  let read: EarningsRow[];
  try {
    read = await data.earnings(from, until);
  } catch (error) {
    context.log.warn("earnings-calendar.read-failed", { market, err: error });
    return { near: null, past: held?.rows ?? [], estimates: null };
  }
  const near = read.filter((row) => row.date >= wanted);
  const before = read.filter((row) => row.date < session);
  let older: EarningsRow[];
  try {
    older = held?.rows ?? (await data.earnings(oldest, addDays(from, -1)));
  } catch (error) {
    context.log.warn("earnings-history.read-failed", { market, err: error });
    return { near, past: before, estimates: null };
  }
  // What was just read again replaces what was known of the same days.
  const rows = [...older.filter((row) => row.date < from && row.date >= oldest), ...before];
  known.set(market, { session, rows });
  return { near, past: rows, estimates: null };
}

/**
 * A calendar of coming reports only: when companies reported is in their filings. Those are read once a week, so what the calendar gave for a
 * day that is now past counts until the filing is read.
 */
async function readComing(
  context: Context,
  { market, session, oldest, held, wanted, until }: Question,
): Promise<Earnings> {
  const announced = await announcedReports(context, oldest, session);
  const unfiled = notAmong(
    announced,
    (held?.rows ?? []).filter(({ date }) => date < session && date >= oldest),
  );
  const past = [...announced, ...unfiled];
  let coming: EarningsRow[];
  try {
    coming = await context.marketData(market).earnings(session, until);
  } catch (error) {
    context.log.warn("earnings-calendar.read-failed", { market, err: error });
    return { near: null, past, estimates: null };
  }
  // A report of this morning is no longer a coming one. One that was put off has another day in the list.
  const listed = new Set(coming.map(({ symbol }) => symbol));
  const ofToday = (held?.rows ?? []).filter(({ symbol, date }) => date === session && !listed.has(symbol));
  const ahead = [...ofToday, ...coming];
  known.set(market, { session, rows: [...unfiled, ...ahead] });
  return { near: [...past.filter(({ date }) => date >= wanted), ...ahead], past, estimates: null };
}

/** The reports of which no filing is known. */
function notAmong(announced: readonly EarningsRow[], rows: readonly EarningsRow[]): EarningsRow[] {
  const dates = new Map<string, SessionDate[]>();
  for (const { symbol, date } of announced) dates.set(symbol, [...(dates.get(symbol) ?? []), date]);
  return rows.filter(({ symbol, date }) => {
    const [first, last] = [addDays(date, -SAME_REPORT_DAYS), addDays(date, SAME_REPORT_DAYS)];
    return !(dates.get(symbol) ?? []).some((filed) => filed >= first && filed <= last);
  });
}
