import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import { text as decimalText } from "@/lib/domain/money.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type SessionDate } from "@/lib/domain/time.ts";
import { csvRows } from "./csv.ts";
import { readText, urlOf } from "./fetch-json.ts";
import type { EarningsRow, PriceSource } from "./market-data.ts";
import { askOneByOne, closeText, vendorPrice, withHyphen } from "./price-source.ts";
import { LEAST_REPORTS, unknown } from "./whole-calendar.ts";

const VENDOR = "Alpha Vantage";

const report = z.object({ symbol: z.string().regex(/^\S{1,24}$/), reportDate: z.iso.date() });

/** Newer answers have the column `timeOfTheDay`, empty for most companies. */
const TIMES = new Map<unknown, EarningsRow["time"]>([
  ["pre-market", "BMO"],
  ["post-market", "AMC"],
]);

/** Errors and used-up limits are JSON with status 200, under one of these names. */
const NOTICES = ["Error Message", "Information", "Note"] as const;

const number = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,8})?$/)
  .transform(Number);
const globalQuote = z.object({
  "Global Quote": z.union([
    z.object({
      "01. symbol": z.string(),
      "05. price": number.pipe(vendorPrice),
      "07. latest trading day": z.iso.date(),
      "08. previous close": number.pipe(z.union([vendorPrice, z.literal(0)])),
    }),
    // A symbol that is not known has an empty one.
    z.strictObject({}),
  ]),
});

interface AlphaVantageOptions {
  url: string;
  key: string;
  countedAs?: ProviderName;
}

/** The last close of one symbol; null where it does not know the symbol. Its answers name the day, not the moment. */
export async function alphaVantageClose(options: AlphaVantageOptions, symbol: string): Promise<VendorPrice | null> {
  const query = { function: "GLOBAL_QUOTE", symbol: withHyphen(symbol), apikey: options.key };
  const call = { vendor: VENDOR, countedAs: options.countedAs, operation: "close" } as const;
  return readText(call, urlOf(options.url, "/query", query), (answer) => closeOf(answer, symbol));
}

function closeOf(answer: string, symbol: string): VendorPrice | null {
  refuseNotice(answer, '"Global Quote"');
  const { data, error } = globalQuote.safeParse(jsonOf(answer));
  if (data === undefined)
    throw new Failure("unavailable", `${VENDOR} answered in a form that is not known.`, { cause: error });
  const quote = data["Global Quote"];
  if (!("05. price" in quote)) return null;
  if (quote["01. symbol"].toUpperCase() !== withHyphen(symbol))
    throw new Failure("unavailable", `${VENDOR} answered for another symbol.`, { cause: "another symbol" });
  const previousClose = closeText(quote["08. previous close"]);
  return { price: decimalText(quote["05. price"]), previousClose, at: null, day: quote["07. latest trading day"] };
}

function jsonOf(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch (cause) {
    throw new Failure("unavailable", `${VENDOR} answered with something that is not JSON.`, { cause });
  }
}

/** Five calls a minute and 25 a day are the free plan's: `most` closes a day are asked for, and prices of the moment never. */
export function alphaVantageCloses(options: AlphaVantageOptions, most: number): PriceSource {
  return askOneByOne({
    vendor: VENDOR,
    figures: ["CLOSE"],
    ask: (symbol) => alphaVantageClose(options, symbol),
    windows: [
      { most: 5, ms: MINUTE_MS },
      { most, ms: DAY_MS },
    ],
    freshMs: DAY_MS / 2,
    atOnce: 1,
  });
}

/**
 * Alpha Vantage's calendar of coming reports: three months, in one call. The free plan has 25 calls a day, so an answer is held for an hour and
 * who asks meanwhile waits for the call that is under way.
 */
export function alphaVantage(options: AlphaVantageOptions) {
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
      const rows = await coming();
      // Three months hold more than any four weeks.
      if (options.countedAs === undefined && rows.length < LEAST_REPORTS.count)
        throw unknown(VENDOR, "fewer reports than a market has");
      return rows.filter(({ date }) => date >= from && date <= to);
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

/** A notice instead of an answer. The vendor's own words hold the key at times: only the notice's name is kept. */
function refuseNotice(text: string, exceptWith?: string): void {
  if (!text.trimStart().startsWith("{") || (exceptWith !== undefined && text.includes(exceptWith))) return;
  const name = NOTICES.find((notice) => text.includes(`"${notice}"`)) ?? "another notice";
  throw new Failure(
    "unavailable",
    `${VENDOR} refused the request: the limit on calls is reached, or its key is wrong.`,
    {
      cause: `notice: ${name}`,
    },
  );
}
