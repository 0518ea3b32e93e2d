import * as z from "zod";
import type { ProviderName } from "@/lib/domain/providers.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readJson, urlOf } from "./fetch-json.ts";
import type { EarningsRow } from "./market-data.ts";

const body = z.object({
  earningsCalendar: z.array(z.object({ date: z.iso.date(), hour: z.string().nullish(), symbol: z.string() })),
});

const TIMES = new Map<unknown, EarningsRow["time"]>([
  ["bmo", "BMO"],
  ["amc", "AMC"],
]);

/** Finnhub's earnings calendar. The token travels in a header, never in the address. */
export function finnhub(options: { url: string; token: string; countedAs?: ProviderName }) {
  return {
    async earnings(from: SessionDate, to: SessionDate): Promise<EarningsRow[]> {
      const url = urlOf(options.url, "/api/v1/calendar/earnings", { from, to });
      const headers = { "X-Finnhub-Token": options.token };
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
    },
  };
}
