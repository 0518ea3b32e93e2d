import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { sectorNamed } from "@/lib/domain/sectors.ts";
import { addDays, DAY_MS, type SessionDate } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";
import type { EarningsRow } from "./market-data.ts";

const VENDOR = "Financial Modeling Prep";

const companies = z.array(
  z.object({
    symbol: z.string(),
    companyName: z.string().nullish(),
    sector: z.string().nullish(),
    isEtf: z.boolean().nullish(),
    isFund: z.boolean().nullish(),
  }),
);

/** `time` was in the vendor's older answers, and is in none that is documented now. */
const reports = z.array(
  z.object({ symbol: z.string().regex(/^\S{1,24}$/), date: z.iso.date(), time: z.string().nullish() }),
);

const TIMES = new Map<unknown, EarningsRow["time"]>([
  ["bmo", "BMO"],
  ["amc", "AMC"],
]);

/** The vendor's documents have named 3,000 and 4,000 rows a request. What is beyond is dropped without a word, the earliest days first. */
const MOST_ROWS = 3_000;
/** The vendor answers ranges of up to 90 days; a month of reports seldom reaches the limit of rows. */
const WINDOW_DAYS = 30;
/** Requests of one question: where the vendor answers a day at a time, a screening still fits into the free plan's 250 a day. */
const MOST_CALLS = { inAll: 60, perWindow: 4 };
/** A market has hundreds of reports in any four weeks: fewer are a plan's sample, which leaves out reports that matter. */
const LEAST_REPORTS = { days: 28, count: 200 };

/** Share classes have a hyphen there (from memory) and a dot at the broker. */
const symbolOf = (symbol: string) => symbol.replaceAll("-", ".");

/** Financial Modeling Prep: which sector a company belongs to, in the words of GICS, and when companies report. */
export function fmp(options: { url: string; key: string; countedAs?: ProviderName }) {
  async function reportsBetween(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
    const url = urlOf(options.url, "/stable/earnings-calendar", { from, to, apikey: options.key });
    const call = { vendor: VENDOR, countedAs: options.countedAs, operation: "earnings" } as const;
    // One row that cannot be read may be the report that matters: then the whole calendar is not known.
    const rows = await readJson(call, reports, url, { timeoutMs: 30_000 });
    if (rows.some(({ date }) => date < from || date > to)) throw unknown("days that were not asked for");
    return rows.map(({ symbol, date, time }) => ({
      symbol: symbolOf(symbol),
      date,
      time: TIMES.get(time) ?? "UNKNOWN",
    }));
  }

  return {
    async sectors(limit = 10_000): Promise<Map<string, string>> {
      const url = urlOf(options.url, "/stable/company-screener", { limit, apikey: options.key });
      const call = { vendor: VENDOR, countedAs: options.countedAs, operation: "sectors" } as const;
      const rows = await readJson(call, companies, url, { timeoutMs: 30_000 });
      return new Map(
        rows.flatMap(({ symbol, sector, isEtf, isFund }) => {
          // The vendor names a sector of funds, too: "Financial Services".
          const known = isEtf === true || isFund === true ? "ETF" : sector;
          return known ? [[symbolOf(symbol), sectorNamed(known)] as const] : [];
        }),
      );
    },

    async earnings(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
      const windows = windowsOf(from, to);
      let callsLeft = MOST_CALLS.inAll + MOST_CALLS.perWindow * windows.length;
      const ask: Ask = (first, last) => {
        callsLeft -= 1;
        if (callsLeft < 0) throw unknown("too little at a time");
        return reportsBetween(first, last);
      };
      const parts: EarningsRow[][] = [];
      for (const [first, last] of windows) parts.push(await wholeWindow(ask, first, last));
      const rows = parts.flat();
      if (daysBetween(from, to) >= LEAST_REPORTS.days && rows.length < LEAST_REPORTS.count)
        throw unknown("fewer reports than a market has");
      return rows;
    },
  };
}

type Ask = (from: SessionDate, to: SessionDate) => Promise<EarningsRow[]>;

const unknown = (what: string) =>
  new Failure("unavailable", `${VENDOR} answered a part of the earnings calendar: ${what}.`, { cause: what });

const daysBetween = (from: SessionDate, to: SessionDate) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

function windowsOf(from: SessionDate, to: SessionDate): [SessionDate, SessionDate][] {
  const windows: [SessionDate, SessionDate][] = [];
  for (let first = from; first <= to; first = addDays(first, WINDOW_DAYS)) {
    const last = addDays(first, WINDOW_DAYS - 1);
    windows.push([first, last < to ? last : to]);
  }
  return windows;
}

/** All reports of the days. A calendar that is cut off is not known: what may have been dropped is asked for again, day by day if need be. */
async function wholeWindow(ask: Ask, from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
  const rows = await ask(from, to);
  if (rows.length >= MOST_ROWS) {
    if (from === to) throw unknown(`as many reports of ${from} as one answer holds`);
    const middle = addDays(from, Math.floor(daysBetween(from, to) / 2));
    return [...(await wholeWindow(ask, from, middle)), ...(await wholeWindow(ask, addDays(middle, 1), to))];
  }
  const earliest = rows.reduce((least, { date }) => (date < least ? date : least), to);
  // Days without a report before the earliest one, or days that were dropped: only a question of their own tells.
  if (rows.length === 0 || earliest === from) return rows;
  return [...(await wholeWindow(ask, from, addDays(earliest, -1))), ...rows];
}
