import type { SymbolView } from "../engine/plan.ts";
import {
  knownSessions,
  MOST_SESSIONS_AHEAD,
  MOST_SESSIONS_BACK,
  reportDaysAhead,
  reportDaysBack,
} from "../look-back.ts";
import { nextSession, previousSession } from "../market-calendar.ts";
import type { DecimalText } from "../money.ts";
import type { Policy } from "../policy.ts";
import { firstIndexFrom } from "../screening/adjust.ts";
import type { CorporateEvent } from "../screening/features.ts";
import { estimateReport } from "../screening/estimate-report.ts";
import { addDays, type SessionDate } from "../time.ts";
import { type BenchmarkReturns, benchmarkReturns } from "./benchmark.ts";
import type { HistorySymbol, MarketHistory } from "./history.ts";

export interface HistoryIndex {
  history: MarketHistory;
  bySymbol: ReadonlyMap<string, HistorySymbol>;
  /** Split and dividend events by symbol, for features. */
  events: ReadonlyMap<string, CorporateEvent[]>;
  splitsOn: ReadonlyMap<SessionDate, { symbol: string; ratio: DecimalText }[]>;
  dividendsOn: ReadonlyMap<SessionDate, { symbol: string; amount: DecimalText }[]>;
  vixOn: ReadonlyMap<SessionDate, number>;
  sessionAt: ReadonlyMap<SessionDate, number>;
  /** The market's sessions, with those by the exchange's rules before and after that any policy knows. */
  calendar: SessionDate[];
  /** Ascending report dates by symbol; null when no calendar is known. */
  reports: ReadonlyMap<string, SessionDate[]> | null;
  benchmarks: BenchmarkReturns;
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}

function calendarOf(sessions: readonly SessionDate[]): SessionDate[] {
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before: SessionDate[] = [];
  const after: SessionDate[] = [];
  for (let i = 0, date = first; i < MOST_SESSIONS_BACK; i++) before.unshift((date = previousSession(date)));
  for (let i = 0, date = last; i < MOST_SESSIONS_AHEAD; i++) after.push((date = nextSession(date)));
  return [...before, ...sessions, ...after];
}

/** Events by the session that first trades on or after their date: an ex-date may lie on a day without one. None after the last session. */
function bySession<T extends { date: SessionDate }>(events: readonly T[], sessions: readonly SessionDate[]) {
  return grouped(events, ({ date }) => sessions[firstIndexFrom(sessions, date)] ?? "");
}

/** Look-ups over a history, made once for many runs. */
export function indexHistory(history: MarketHistory): HistoryIndex {
  const events: CorporateEvent[] = [
    ...history.splits.map(({ date, symbol, ratio }) => ({
      date,
      symbol,
      kind: "split" as const,
      value: Number(ratio),
    })),
    ...history.dividends.map(({ date, symbol, amount }) => ({
      date,
      symbol,
      kind: "dividend" as const,
      value: Number(amount),
    })),
  ];
  const reports =
    history.earnings === null
      ? null
      : new Map(
          [...grouped(history.earnings, ({ symbol }) => symbol)].map(([symbol, rows]) => [
            symbol,
            rows.map(({ date }) => date).sort(),
          ]),
        );
  const bySymbolEvents = grouped(events, ({ symbol }) => symbol);
  return {
    history,
    bySymbol: new Map(history.symbols.map((row) => [row.symbol, row])),
    events: bySymbolEvents,
    splitsOn: bySession(history.splits, history.sessions),
    dividendsOn: bySession(history.dividends, history.sessions),
    vixOn: new Map(history.vix.map(({ date, close }) => [date, close])),
    sessionAt: new Map(history.sessions.map((date, i) => [date, i])),
    calendar: calendarOf(history.sessions),
    reports,
    benchmarks: benchmarkReturns(history, bySymbolEvents),
  };
}

/** Sessions around the one at `session`, as a live cycle sees them. */
export const sessionsAround = ({ calendar }: HistoryIndex, session: number, policy: Policy): SessionDate[] =>
  knownSessions(calendar, session + MOST_SESSIONS_BACK, policy);

const NOT_KNOWN = { isKnown: false, next: null, last: null };
/** A calendar without the symbol; also what the earnings gate lets pass. */
export const NO_REPORTS = { isKnown: true, next: null, last: null };

/** Next and latest report of a symbol within what a live calendar shows on that date, or what filings before it let expect. */
export function earningsAround(
  { reports, history }: HistoryIndex,
  date: SessionDate,
  policy: Policy,
): (symbol: string) => SymbolView["earnings"] {
  if (reports === null) return () => NOT_KNOWN;
  if (history.areReportsEstimated === true)
    return (symbol) => {
      const past = (reports.get(symbol) ?? []).filter((day) => day < date);
      const estimate = estimateReport(past, date);
      return estimate === null ? NOT_KNOWN : { isKnown: true, next: null, last: past.at(-1) ?? null, estimate };
    };
  return (symbol) => {
    const own = reports.get(symbol);
    if (own === undefined) return NO_REPORTS;
    const [from, to] = [addDays(date, -reportDaysBack(policy)), addDays(date, reportDaysAhead(policy))];
    return {
      isKnown: true,
      next: own.find((day) => day >= date && day <= to) ?? null,
      last: own.findLast((day) => day < date && day >= from) ?? null,
    };
  };
}
