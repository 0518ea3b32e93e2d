import { clockText, type Instant, type SessionDate } from "../time.ts";
import type { BriefFacts, TradeFacts } from "./facts.ts";
import type { Cite } from "./sentence-parts.ts";

/** The pages on which a sentence can be checked. */

export const ACCOUNTS: Cite = { label: "Accounts", href: "/alpaca-keys" };
export const LOG: Cite = { label: "Log", href: "/logs" };
export const POSITIONS: Cite = { label: "Active Positions", href: "/dashboard#active-positions" };
export const DECISIONS: Cite = { label: "Decisions", href: "/decisions" };

export function performanceOf({ environment, session }: Pick<BriefFacts, "environment" | "session">): Cite {
  return { label: "Performance", href: `/performance?env=${environment.toLowerCase()}&from=${session}&to=${session}` };
}

export function tradesBetween(from: SessionDate, to: SessionDate, label: string): Cite {
  return { label, href: `/trade-history?startDate=${from}&endDate=${to}` };
}

export const tradesOf = (session: SessionDate): Cite => tradesBetween(session, session, "Trades of the day");

export function tradePage({ symbol, tradeId }: Pick<TradeFacts, "symbol" | "tradeId">): Cite {
  return { label: symbol, href: `/trade-history/${tradeId}` };
}

export function symbolPage(symbol: string): Cite {
  return { label: symbol, href: `/trade-history?symbol=${encodeURIComponent(symbol)}` };
}

export function decisionPage({ id, at }: { id: string; at: Instant }): Cite {
  return { label: `Decision of ${clockText(at)} ET`, href: `/decisions/${id}` };
}

/** More than these are one link to their list. */
const PAGES_MOST = 4;

/** A page for each, or one for all of them where they are many or none. */
export function eachOrAll<T>(rows: readonly T[], page: (row: T) => Cite, all: Cite): [Cite, ...Cite[]] {
  const [first, ...others] = rows.map(page);
  return first === undefined || rows.length > PAGES_MOST ? [all] : [first, ...others];
}
