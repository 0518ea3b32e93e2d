"use client";
import Link from "next/link";
import type { MarketName } from "@/lib/domain/enums.ts";
import { useMarket } from "./use-market.ts";

/** The page of a symbol, of the same market. */
export const symbolAddress = (symbol: string, market: MarketName | undefined) =>
  `/admin/symbols/${symbol}${market === undefined ? "" : `?market=${market.toLowerCase()}`}`;

export function SymbolLink({ symbol }: { symbol: string }) {
  const { wanted } = useMarket();
  return (
    <Link
      href={symbolAddress(symbol, wanted)}
      onClick={(event) => event.stopPropagation()}
      className="tap rounded-sm font-semibold text-accent underline-offset-4 hover:underline"
    >
      {symbol}
    </Link>
  );
}
