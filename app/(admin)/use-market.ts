"use client";
import type { MarketName } from "@/lib/domain/enums.ts";
import { useUrlValues } from "../_hooks/use-url-values.ts";

/** In the order in which they are offered. */
const OFFERED: readonly MarketName[] = ["US", "PRACTICE"];

export const MARKET_LABELS: Record<MarketName, string> = { US: "US market", PRACTICE: "Practice market" };

/** The market that a person chose, in the address (`?market=us`); undefined while the server chooses. */
export function useMarket() {
  const { values, change } = useUrlValues({ market: "" });
  const wanted = OFFERED.find((market) => market.toLowerCase() === values.market);
  return {
    wanted,
    /** What the reading calls take. */
    input: wanted === undefined ? {} : { market: wanted },
    choose: (market: MarketName) => change({ market: market.toLowerCase() }),
    /** Data of another market is never shown as a placeholder while the requested one loads. */
    only: <T extends { market: MarketName }>(data: T | undefined): T | undefined =>
      wanted === undefined || data?.market === wanted ? data : undefined,
  };
}
