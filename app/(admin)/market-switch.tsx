"use client";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Badge } from "../_ui/badge.tsx";
import { Segmented } from "../_ui/segmented.tsx";
import { MARKET_LABELS, useMarket } from "./use-market.ts";

/** Which market the page is of, with the choice where there are several. */
export function MarketSwitch({ of }: { of: { market: MarketName; markets: readonly MarketName[] } | undefined }) {
  const { wanted, choose } = useMarket();
  if (of === undefined) return null;
  const shown = wanted ?? of.market;
  if (of.markets.length < 2) return <Badge>{MARKET_LABELS[shown]}</Badge>;
  return (
    <Segmented
      label="Market"
      options={of.markets.map((value) => ({ value, label: MARKET_LABELS[value] }))}
      value={shown}
      onChange={choose}
    />
  );
}
