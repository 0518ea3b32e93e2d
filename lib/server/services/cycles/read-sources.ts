import type { VendorPrice } from "@/lib/domain/consensus/judge-symbol.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { PriceProvider } from "@/lib/domain/providers.ts";
import type { Context } from "../../context.ts";

/** What one other source says of one symbol. */
export interface VendorReport {
  vendor: PriceProvider;
  price: VendorPrice;
}

/** What the other sources of a market say now. */
export interface OtherPrices {
  reported: Map<string, VendorReport[]>;
  /** Those that did not answer: they say nothing. */
  failed: PriceProvider[];
}

/** By symbol, what the other sources of the market say now; null where there is none. */
export async function readOtherPrices(
  context: Pick<Context, "marketData" | "log">,
  market: MarketName,
  symbols: readonly string[],
): Promise<OtherPrices | null> {
  const sources = context.marketData(market).priceSources;
  if (sources.length === 0) return null;
  const reported = new Map<string, VendorReport[]>();
  const failed: PriceProvider[] = [];
  if (symbols.length === 0) return { reported, failed };
  const answers = await Promise.allSettled(sources.map((source) => source.prices(symbols)));
  for (const [place, answer] of answers.entries()) {
    const { vendor } = sources[place]!;
    if (answer.status === "rejected") {
      failed.push(vendor);
      context.log.warn("prices.read-failed", { market, provider: vendor, err: answer.reason });
      continue;
    }
    for (const [symbol, price] of answer.value)
      reported.set(symbol, [...(reported.get(symbol) ?? []), { vendor, price }]);
  }
  return { reported, failed };
}
