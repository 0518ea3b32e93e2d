import { addDays, DAY_MS, type SessionDate } from "../time.ts";

/** The days on which the next report is expected, both included. */
export interface ReportWindow {
  from: SessionDate;
  to: SessionDate;
}

/** The same weekday a year later. */
const YEAR_DAYS = 364;
/** Five sessions to both sides: companies seldom move a report further from one year to the next. */
export const EITHER_SIDE_DAYS = 7;
/** A report this near to an expected day is the expected one; quarters lie further apart. */
const SAME_QUARTER_DAYS = 30;
/** A quarterly reporter has this many reports within a year, one late. */
const LEAST_REPORTS = 3;
/** From one quarter's report to the next: a longer gap hides a quarter of which no report is known. */
const MOST_BETWEEN_DAYS = 130;

const daysBetween = (a: SessionDate, b: SessionDate) => (Date.parse(b) - Date.parse(a)) / DAY_MS;

/**
 * When a company without a calendar is expected to report next, by the days of its past reports: each quarter's a year after the last one,
 * five sessions to both sides. A report that is late stays expected until it is there. Null where too few reports of the last year
 * are known to say, or that of the coming quarter is not among them.
 */
export function estimateReport(reports: readonly SessionDate[], today: SessionDate): ReportWindow | null {
  const past = [...new Set(reports)].filter((date) => date < today).sort();
  const lastYear = past.filter((date) => daysBetween(date, today) <= YEAR_DAYS + SAME_QUARTER_DAYS);
  if (lastYear.length < LEAST_REPORTS) return null;
  const expected = lastYear
    .map((date) => addDays(date, YEAR_DAYS))
    .filter((day) => !past.some((date) => Math.abs(daysBetween(date, day)) < SAME_QUARTER_DAYS));
  const next = expected[0];
  const last = past.at(-1);
  if (next === undefined || last === undefined || daysBetween(last, next) > MOST_BETWEEN_DAYS) return null;
  const end = addDays(next, EITHER_SIDE_DAYS);
  const late = addDays(today, EITHER_SIDE_DAYS);
  return { from: addDays(next, -EITHER_SIDE_DAYS), to: end < today ? late : end };
}
