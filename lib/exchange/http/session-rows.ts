import { addDays, type SessionDate } from "../../domain/time.ts";
import type { ExchangeState } from "../book/state.ts";
import type { Sessions } from "../market/sessions.ts";

/**
 * What calendars tell of each session, in order of date. The rows of a year are made once for a market: a client that asks for all of
 * them would otherwise keep every other one waiting each time.
 */
export function sessionRows<Row extends { date: SessionDate }>(make: (state: ExchangeState, date: SessionDate) => Row) {
  const known = new WeakMap<Sessions, Map<string, readonly Row[]>>();

  function rowsOf(state: ExchangeState, year: string): readonly Row[] {
    const years = known.get(state.sessions) ?? new Map<string, readonly Row[]>();
    known.set(state.sessions, years);
    let rows = years.get(year);
    if (rows === undefined) {
      const made: Row[] = [];
      for (let date = `${year}-01-01`; date.startsWith(year); date = addDays(date, 1))
        if (state.sessions.isSession(date)) made.push(make(state, date));
      years.set(year, (rows = made));
    }
    return rows;
  }

  /** The rows from the first to the last day, both included. */
  return (state: ExchangeState, first: SessionDate, last: SessionDate): Row[] => {
    const rows: Row[] = [];
    for (let year = Number(first.slice(0, 4)); year <= Number(last.slice(0, 4)); year += 1)
      rows.push(...rowsOf(state, String(year)).filter(({ date }) => date >= first && date <= last));
    return rows;
  };
}
