import { addDays, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import type { EarningsReport } from "../market/source.ts";

/** Calendar days by which an earnings date is known ahead. */
const KNOWN_DAYS = 30;

/** An earnings report as it can be seen by now: its numbers only once they are out. */
export interface SeenReport extends EarningsReport {
  isOut: boolean;
}

/** The reports of some dates, of one company where a symbol is given, oldest first, as far ahead as their dates are known. */
export function reportsBetween(
  state: ExchangeState,
  from: SessionDate,
  to: SessionDate,
  symbol: string | null = null,
): SeenReport[] {
  const { hours, nowMs } = state.view.moment();
  const today = hours.date;
  const known = addDays(today, KNOWN_DAYS);
  const end = to < known ? to : known;
  return state.market.earnings
    .filter((report) => (!symbol || report.symbol === symbol) && report.date >= from && report.date <= end)
    .map((report) => {
      const isToday = report.date === today && (report.hour === "bmo" || nowMs >= hours.closesAtMs);
      const isOut = report.date < today || isToday;
      return { ...report, epsActual: isOut ? report.epsActual : null, isOut };
    })
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The last date for which anything is known. */
export function lastKnownDate(state: ExchangeState): SessionDate {
  return addDays(state.view.moment().hours.date, KNOWN_DAYS);
}

/** The quarter a report of the date is about: the one before it. */
export function reportedQuarter(date: SessionDate): { year: number; quarter: number; endsOn: SessionDate } {
  const start = new Date(`${date.slice(0, 7)}-01T00:00:00Z`);
  start.setUTCMonth(Math.floor(start.getUTCMonth() / 3) * 3, 0);
  const endsOn = start.toISOString().slice(0, 10);
  return { year: start.getUTCFullYear(), quarter: Math.floor(start.getUTCMonth() / 3) + 1, endsOn };
}
