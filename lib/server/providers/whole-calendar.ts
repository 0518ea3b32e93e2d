import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { addDays, DAY_MS, type SessionDate } from "@/lib/domain/time.ts";
import type { EarningsRow } from "./market-data.ts";

/** One request to a vendor's calendar of reports. */
export type AskReports = (from: SessionDate, to: SessionDate) => Promise<EarningsRow[]>;

interface Vendor {
  vendor: ProviderName;
  /** As many rows as one answer holds at most: what is beyond is dropped without a word, the earliest days first. */
  mostRows: number;
  windowDays: number;
  ask: AskReports;
  /** True where the market is a small one of our own, in which few reports are all of them. */
  isSmallMarket: boolean;
}

/** Requests of one question: where the vendor answers a day at a time, a screening still fits into a free plan's 250 a day. */
const MOST_CALLS = { inAll: 60, perWindow: 4 };
/** A market has hundreds of reports in any four weeks: fewer are a plan's sample, which leaves out reports that matter. */
export const LEAST_REPORTS = { days: 28, count: 200 };
/** No market is silent for so long: nothing at all is what a plan answers that does not reach as far. */
const LONGEST_SILENCE_DAYS = 10;

/**
 * Every report of the days, in as many requests as that takes. A calendar of which a part is missing is not known: each report that it
 * leaves out would open a blackout. Newest days first: a plan that does not reach back ends the question there.
 */
export async function wholeCalendar(source: Vendor, from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
  const { vendor, isSmallMarket } = source;
  const windows = windowsOf(from, to, source.windowDays);
  let callsLeft = MOST_CALLS.inAll + MOST_CALLS.perWindow * windows.length;
  const ask: AskReports = (first, last) => {
    callsLeft -= 1;
    if (callsLeft < 0) throw unknown(vendor, "too little at a time");
    return source.ask(first, last);
  };
  const parts: EarningsRow[][] = [];
  for (const [first, last] of windows.reverse()) {
    const rows = await wholeWindow({ ...source, ask }, first, last);
    if (!isSmallMarket && rows.length === 0 && daysBetween(first, last) >= LONGEST_SILENCE_DAYS)
      throw unknown(vendor, `no report from ${first} to ${last}`);
    parts.unshift(rows);
  }
  const rows = parts.flat();
  if (!isSmallMarket && daysBetween(from, to) >= LEAST_REPORTS.days && rows.length < LEAST_REPORTS.count)
    throw unknown(vendor, "fewer reports than a market has");
  return rows;
}

export const unknown = (vendor: ProviderName, what: string) =>
  new Failure("unavailable", `${vendor} answered a part of the earnings calendar: ${what}.`, { cause: what });

const daysBetween = (from: SessionDate, to: SessionDate) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

function windowsOf(from: SessionDate, to: SessionDate, days: number): [SessionDate, SessionDate][] {
  const windows: [SessionDate, SessionDate][] = [];
  for (let first = from; first <= to; first = addDays(first, days)) {
    const last = addDays(first, days - 1);
    windows.push([first, last < to ? last : to]);
  }
  return windows;
}

/** All reports of the days. A calendar that is cut off is not known: what may have been dropped is asked for again, day by day if need be. */
async function wholeWindow(source: Vendor, from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
  const rows = await source.ask(from, to);
  if (rows.length >= source.mostRows) {
    if (from === to) throw unknown(source.vendor, `as many reports of ${from} as one answer holds`);
    const middle = addDays(from, Math.floor(daysBetween(from, to) / 2));
    return [...(await wholeWindow(source, from, middle)), ...(await wholeWindow(source, addDays(middle, 1), to))];
  }
  const earliest = rows.reduce((least, { date }) => (date < least ? date : least), to);
  // Days without a report before the earliest one, or days that were dropped: only a question of their own tells.
  if (rows.length === 0 || earliest === from) return rows;
  return [...(await wholeWindow(source, from, addDays(earliest, -1))), ...rows];
}
