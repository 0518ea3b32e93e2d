import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { HOUR_MS, type SessionDate } from "@/lib/domain/time.ts";
import { csvRows } from "./csv.ts";
import { readText, urlOf } from "./fetch-json.ts";
import type { EarningsRow } from "./market-data.ts";

const VENDOR = "Alpha Vantage";

const report = z.object({ symbol: z.string().regex(/^\S{1,24}$/), reportDate: z.iso.date() });

/** Newer answers have the column `timeOfTheDay`, empty for most companies. */
const TIMES = new Map<unknown, EarningsRow["time"]>([
  ["pre-market", "BMO"],
  ["post-market", "AMC"],
]);

/** Errors and used-up limits are JSON with status 200, under one of these names. */
const NOTICES = ["Error Message", "Information", "Note"] as const;

/**
 * Alpha Vantage's calendar of coming reports: three months, in one call. The free plan has 25 calls a day, so an answer is held for an hour and
 * who asks meanwhile waits for the call that is under way.
 */
export function alphaVantage(options: { url: string; key: string; countedAs?: ProviderName }) {
  let held: { atMs: number; rows: EarningsRow[] } | null = null;
  let underWay: Promise<EarningsRow[]> | null = null;

  async function read(): Promise<EarningsRow[]> {
    const query = { function: "EARNINGS_CALENDAR", horizon: "3month", apikey: options.key };
    const call = { vendor: VENDOR, countedAs: options.countedAs, operation: "earnings" } as const;
    const rows = await readText(call, urlOf(options.url, "/query", query), reportsOf);
    held = { atMs: Date.now(), rows };
    return rows;
  }

  async function coming(): Promise<EarningsRow[]> {
    const ageMs = held === null ? null : Date.now() - held.atMs;
    // A clock that was set back makes no answer new.
    if (held !== null && ageMs !== null && ageMs >= 0 && ageMs < HOUR_MS) return held.rows;
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  }

  return {
    async earnings(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
      return (await coming()).filter(({ date }) => date >= from && date <= to);
    },
  };
}

function reportsOf(text: string): EarningsRow[] {
  refuseNotice(text);
  const [header = [], ...lines] = csvRows(text) ?? [];
  const place = Object.fromEntries(header.map((name, at) => [name.trim(), at]));
  const { symbol, reportDate, timeOfTheDay } = place;
  // A head without a row is what a refused request gets at times: three months without a report do not exist.
  if (symbol === undefined || reportDate === undefined || lines.length === 0)
    throw new Failure("unavailable", `${VENDOR} answered with an unknown table.`, { cause: "no row" });
  return lines.map((cells) => {
    const row = report.safeParse({ symbol: cells[symbol], reportDate: cells[reportDate] });
    // One row that cannot be read may be the report that matters: then the whole calendar is not known.
    if (!row.success || cells.length !== header.length)
      throw new Failure("unavailable", `${VENDOR} answered with a row that cannot be read.`, { cause: "bad row" });
    return {
      // Share classes have a dot at the broker.
      symbol: row.data.symbol.replaceAll("-", "."),
      date: row.data.reportDate,
      time: (timeOfTheDay !== undefined && TIMES.get(cells[timeOfTheDay])) || "UNKNOWN",
    };
  });
}

/** The vendor's own words hold the key at times: only the notice's name is kept. */
function refuseNotice(text: string): void {
  if (!text.trimStart().startsWith("{")) return;
  const name = NOTICES.find((notice) => text.includes(`"${notice}"`)) ?? "another notice";
  throw new Failure("unavailable", `${VENDOR} refused the request: its calls are used up, or its key is wrong.`, {
    cause: `notice: ${name}`,
  });
}
