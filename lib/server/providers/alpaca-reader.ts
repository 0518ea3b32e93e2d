import type * as z from "zod";
import type { ProviderName } from "@/lib/domain/providers.ts";
import { readJson, urlOf } from "./fetch-json.ts";

/** Where Alpaca answers and by which keys, read with plain fetch (docs/decisions/0005). */
export interface AlpacaReaderOptions {
  tradingUrl: string;
  dataUrl: string;
  keyId: string;
  secret: string;
  /** Who answers, where it is not Alpaca itself. */
  countedAs?: ProviderName;
}

/** One read of Alpaca's, answered by the schema. */
export type AlpacaReader = ReturnType<typeof alpacaReader>;

export function alpacaReader({ keyId, secret, countedAs, tradingUrl, dataUrl }: AlpacaReaderOptions) {
  const headers = { "APCA-API-KEY-ID": keyId, "APCA-API-SECRET-KEY": secret };
  const hosts = { trading: tradingUrl, data: dataUrl };
  return <S extends z.ZodType>(
    operation: string,
    schema: S,
    [host, path, query = {}]: [
      host: keyof typeof hosts,
      path: string,
      query?: Record<string, string | number | undefined>,
    ],
    timeoutMs = 30_000,
  ) =>
    readJson({ vendor: "Alpaca", countedAs, operation }, schema, urlOf(hosts[host], path, query), {
      headers,
      timeoutMs,
    });
}
