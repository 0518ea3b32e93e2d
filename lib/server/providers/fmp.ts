import * as z from "zod";
import { fetchJson, readAs, urlOf } from "./fetch-json.ts";

const body = z.array(z.object({ symbol: z.string(), companyName: z.string().nullish(), sector: z.string().nullish() }));

/** Financial Modeling Prep: which sector a company belongs to, which the broker does not say. */
export function fmp(options: { url: string; key: string }) {
  return {
    async sectors(): Promise<Map<string, string>> {
      const url = urlOf(options.url, "/stable/company-screener", { limit: 10_000, apikey: options.key });
      const name = "Financial Modeling Prep";
      const rows = readAs(name, body, await fetchJson(name, url, { timeoutMs: 30_000 }));
      return new Map(rows.flatMap((row) => (row.sector ? [[row.symbol, row.sector] as const] : [])));
    },
  };
}
