import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { sectorNamed } from "@/lib/domain/sectors.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";
import type { EarningsRow } from "./market-data.ts";
import { unknown, wholeCalendar } from "./whole-calendar.ts";

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
/** Share classes have a hyphen there (from memory) and a dot at the broker. */
const symbolOf = (symbol: string) => symbol.replaceAll("-", ".");

/** Financial Modeling Prep: which sector a company belongs to, in the words of GICS, and when companies report. */
export function fmp(options: { url: string; key: string; countedAs?: ProviderName }) {
  async function reportsBetween(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
    const url = urlOf(options.url, "/stable/earnings-calendar", { from, to, apikey: options.key });
    const call = { vendor: VENDOR, countedAs: options.countedAs, operation: "earnings" } as const;
    // One row that cannot be read may be the report that matters: then the whole calendar is not known.
    const rows = await readJson(call, reports, url, { timeoutMs: 30_000 });
    if (rows.some(({ date }) => date < from || date > to)) throw unknown(VENDOR, "days that were not asked for");
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
      if (rows.length === 0) throw new Failure("unavailable", `${VENDOR} named no company.`);
      return new Map(
        rows.flatMap(({ symbol, sector, isEtf, isFund }) => {
          // The vendor names a sector of funds, too: "Financial Services".
          const known = isEtf === true || isFund === true ? "ETF" : sector;
          return known ? [[symbolOf(symbol), sectorNamed(known)] as const] : [];
        }),
      );
    },

    earnings: (from: SessionDate, to: SessionDate): Promise<EarningsRow[]> =>
      wholeCalendar(
        {
          vendor: VENDOR,
          mostRows: MOST_ROWS,
          windowDays: WINDOW_DAYS,
          ask: reportsBetween,
          isSmallMarket: options.countedAs !== undefined,
        },
        from,
        to,
      ),
  };
}
