"use client";
import Link from "next/link";

const LINK_CLASS = "tap rounded-sm font-semibold text-accent underline-offset-4 hover:underline";

export const symbolAddress = (symbol: string) => `/symbols/${encodeURIComponent(symbol)}`;
export const positionAddress = (accountId: string, symbol: string) =>
  `/positions/${accountId}/${encodeURIComponent(symbol)}`;

interface SymbolLinkProps {
  symbol: string;
  /** Of a holding: the link leads to the position instead. */
  accountId?: string;
  className?: string;
}

/** A ticker that leads to its page. Within a row that opens by a click it opens its own page alone. */
export function SymbolLink({ symbol, accountId, className = LINK_CLASS }: SymbolLinkProps) {
  return (
    <Link
      href={accountId === undefined ? symbolAddress(symbol) : positionAddress(accountId, symbol)}
      onClick={(event) => event.stopPropagation()}
      className={className}
    >
      {symbol}
    </Link>
  );
}
