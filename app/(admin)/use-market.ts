"use client";
import { useUrlValues } from "../_hooks/use-url-values.ts";

const MARKETS = ["US", "PRACTICE"] as const;
export type MarketName = (typeof MARKETS)[number];

export const MARKET_WORDS: Record<MarketName, string> = { US: "US market", PRACTICE: "Practice market" };

/** The market that a person chose, in the address (`?market=us`); undefined while the server chooses. */
export function useMarket() {
  const { values, change } = useUrlValues({ market: "" });
  const wanted = MARKETS.find((market) => market.toLowerCase() === values.market);
  return {
    wanted,
    /** What the reading calls take. */
    input: wanted === undefined ? {} : { market: wanted },
    choose: (market: MarketName) => change({ market: market.toLowerCase() }),
    /** An answer of another market stands in for nothing while the wanted one is on its way. */
    only: <T extends { market: MarketName }>(data: T | undefined): T | undefined =>
      wanted === undefined || data?.market === wanted ? data : undefined,
  };
}
