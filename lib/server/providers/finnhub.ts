import * as z from "zod";
import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import { text } from "@/lib/domain/money.ts";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { MINUTE_MS, newYork, type SessionDate } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";
import type { EarningsRow, PriceSource } from "./market-data.ts";
import { wholeCalendar } from "./whole-calendar.ts";
import { askOneByOne, closeText, instantOf, vendorClose, vendorPrice, vendorSeconds } from "./price-source.ts";

const body = z.object({
  earningsCalendar: z.array(z.object({ date: z.iso.date(), hour: z.string().nullish(), symbol: z.string() })),
});

const TIMES = new Map<unknown, EarningsRow["time"]>([
  ["bmo", "BMO"],
  ["amc", "AMC"],
]);

const quote = z.union([
  z.object({ c: vendorPrice, pc: vendorClose, t: vendorSeconds }),
  // A symbol that is not known has zeros throughout.
  z.object({ c: z.literal(0), pc: z.literal(0), t: z.literal(0) }),
]);

interface FinnhubOptions {
  url: string;
  token: string;
  countedAs?: ProviderName;
}

/** From memory: an answer holds 1,500 rows. Beyond the days of its plan the vendor answers an empty list. */
const CALENDAR = { vendor: "Finnhub", mostRows: 1_500, windowDays: 15 } as const;
/** The free plan's 60 calls a minute, less what calendar and checks need. */
const CALLS = { most: 50, ms: MINUTE_MS };

/** Finnhub's quotes, a symbol a call. */
export function finnhubPrices(options: FinnhubOptions): PriceSource {
  const { quoteOf } = finnhub(options);
  return askOneByOne({
    vendor: "Finnhub",
    figures: ["CLOSE", "QUOTE"],
    ask: quoteOf,
    windows: [CALLS],
    freshMs: MINUTE_MS,
    atOnce: 4,
  });
}

/** Finnhub's earnings calendar and quotes. The token travels in a header, never in the address. */
export function finnhub(options: FinnhubOptions) {
  const headers = { "X-Finnhub-Token": options.token };

  async function reportsBetween(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
    const url = urlOf(options.url, "/api/v1/calendar/earnings", { from, to });
    // One row that cannot be read may be the report that matters: then the whole calendar is not known.
    const { earningsCalendar } = await readJson(
      { vendor: "Finnhub", countedAs: options.countedAs, operation: "earnings" },
      body,
      url,
      { headers },
    );
    return earningsCalendar.map((row) => ({
      symbol: row.symbol,
      date: row.date,
      time: TIMES.get(row.hour) ?? "UNKNOWN",
    }));
  }

  return {
    /** Null where it does not know the symbol. */
    async quoteOf(symbol: string): Promise<VendorPrice | null> {
      const url = urlOf(options.url, "/api/v1/quote", { symbol });
      const call = { vendor: "Finnhub", countedAs: options.countedAs, operation: "quote" } as const;
      const { c, pc, t } = await readJson(call, quote, url, { headers, timeoutMs: 3_000 });
      if (c === 0) return null;
      const at = instantOf(t);
      return { price: text(c), previousClose: closeText(pc), at, day: newYork(at).date };
    },

    earnings: (from: SessionDate, to: SessionDate): Promise<EarningsRow[]> =>
      wholeCalendar({ ...CALENDAR, ask: reportsBetween, isSmallMarket: options.countedAs !== undefined }, from, to),
  };
}
