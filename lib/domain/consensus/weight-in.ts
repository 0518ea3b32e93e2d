import type { Policy } from "../policy.ts";

/** The policy's fields of a source; the practice market's own prices stand where Alpaca's do. */
export function weightIn({ providers_consensus: rules }: Policy, source: string): number {
  if (source === "Finnhub") return rules.weight_finnhub;
  if (source === "Financial Modeling Prep") return rules.weight_fmp;
  return source === "Alpha Vantage" ? rules.weight_alpha_vantage : rules.weight_alpaca;
}
