import * as z from "zod";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { sectorNamed } from "@/lib/domain/sectors.ts";
import { readJson, urlOf } from "./fetch-json.ts";

const body = z.array(z.object({ symbol: z.string(), companyName: z.string().nullish(), sector: z.string().nullish() }));

/** Financial Modeling Prep: which sector a company belongs to, which the broker does not say, in the words of GICS. */
export function fmp(options: { url: string; key: string; countedAs?: ProviderName }) {
  return {
    async sectors(limit = 10_000): Promise<Map<string, string>> {
      const url = urlOf(options.url, "/stable/company-screener", { limit, apikey: options.key });
      const call = { vendor: "Financial Modeling Prep", countedAs: options.countedAs, operation: "sectors" } as const;
      const rows = await readJson(call, body, url, { timeoutMs: 30_000 });
      return new Map(rows.flatMap((row) => (row.sector ? [[row.symbol, sectorNamed(row.sector)] as const] : [])));
    },
  };
}
