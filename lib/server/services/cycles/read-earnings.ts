import type { MarketName } from "@/lib/domain/enums.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { EarningsRow } from "../../providers/market-data.ts";
import { type EstimatedEarnings, estimateEarnings } from "./estimate-earnings.ts";

const BACK_DAYS = 14;
const AHEAD_DAYS = 30;
/** The eighth quarterly report before a session lies up to 735 days back, and some companies are late. */
const REPORT_DAYS = 800;

interface PastReports {
  /** The session that they were last read for. */
  session: SessionDate;
  rows: EarningsRow[];
}

/** Past reports change no more: each market's are held by the process and grown by what a session's reading brings. */
const known = new Map<string, PastReports>();

export interface Earnings {
  /** Reports around the session; null when the source is unavailable, and entries wait. */
  near: EarningsRow[] | null;
  /** Where no calendar is configured: what the companies' own filings let expect. */
  estimates: EstimatedEarnings | null;
  /** Reports before the session, up to `REPORT_DAYS` back; as far as they could be read. */
  past: EarningsRow[];
}

/** Earnings reports around a session, and those before it. One question a session, a second one at the first. */
export async function readEarnings(context: Context, market: MarketName, session: SessionDate): Promise<Earnings> {
  const data = context.marketData(market);
  if (!data.hasEarningsCalendar) {
    const estimates = await estimateEarnings(context, session);
    context.log.info("earnings.estimated", { market, count: estimates.size });
    return { near: null, past: [], estimates };
  }
  const cached = known.get(market);
  const oldest = addDays(session, -REPORT_DAYS);
  // A market that went back in time is another market, and so is one of years ago: start over.
  const held = cached && cached.session <= session && cached.session > oldest ? cached : null;
  const wanted = addDays(session, -BACK_DAYS);
  // After a long sleep the question reaches back to where the last one ended.
  const from = held && held.session < wanted ? held.session : wanted;
  let read: EarningsRow[];
  try {
    read = await data.earnings(from, addDays(session, AHEAD_DAYS));
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
