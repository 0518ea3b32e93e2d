import type { SymbolView } from "../engine/plan.ts";
import { text } from "../money.ts";
import { NO_SECTOR } from "../sectors.ts";
import type { SessionDate } from "../time.ts";
import type { CorporateEvent, FeatureRow } from "./features.ts";
import type { ScreenedSymbol } from "./score.ts";

/** A symbol as the broker lists it; its sector is "Unknown" where no source names one. */
export interface ListedSymbol {
  symbol: string;
  name: string;
  sector: string;
  isTradable: boolean;
}

/** Reports around a session as its sources gave them. */
export interface KnownReports {
  /** Of the calendar; null where it did not answer or none is configured. */
  near: readonly { symbol: string; date: SessionDate }[] | null;
  /** By filings, where no calendar is configured; a symbol of which too little is known is absent. */
  estimates: ReadonlyMap<string, SymbolView["earnings"]> | null;
}

/** What may be screened: every symbol with what is known of it, funds apart. */
export const screenedSymbols = (
  assets: Iterable<ListedSymbol>,
  features: ReadonlyMap<string, FeatureRow | null>,
  quarantine: ReadonlyMap<string, string>,
): ScreenedSymbol[] =>
  [...assets]
    .filter(({ sector }) => sector !== "ETF")
    .map(({ symbol, name, sector, isTradable }) => ({
      symbol,
      name,
      sector,
      isTradable,
      isHalted: false,
      quarantine: quarantine.get(symbol) ?? null,
      features: features.get(symbol) ?? null,
      spreadBps: null,
      lastPrice: features.get(symbol)?.close ?? null,
    }));

interface Sources {
  assets: ReadonlyMap<string, ListedSymbol>;
  events: ReadonlyMap<string, readonly CorporateEvent[]>;
  features: ReadonlyMap<string, FeatureRow | null>;
  momentum: ReadonlyMap<string, number | null>;
  quarantine: ReadonlyMap<string, string>;
  earnings: KnownReports;
}

/**
 * A symbol's row in a session, without its quote; an unlisted symbol is not tradable. `through`: the session of the last closed bars. A split
 * that is dated between them and the session, on a day without one, is the session's.
 */
export function symbolRow(
  symbol: string,
  sources: Sources,
  { through, session }: Record<"through" | "session", SessionDate>,
): SymbolView {
  const { assets, events, features, momentum, quarantine, earnings } = sources;
  const asset = assets.get(symbol);
  const splits = (events.get(symbol) ?? []).filter(
    ({ kind, date }) => kind === "split" && date > through && date <= session,
  );
  return {
    symbol,
    name: asset?.name ?? symbol,
    sector: asset?.sector ?? NO_SECTOR,
    isTradable: asset?.isTradable ?? false,
    isHalted: false,
    features: features.get(symbol) ?? null,
    momentumPercentile: momentum.get(symbol) ?? null,
    splitToday: splits.length === 0 ? null : text(splits.reduce((ratio, { value }) => ratio * value, 1)),
    quote: null,
    earnings: earningsOf(symbol, earnings, session),
    quarantine: quarantine.get(symbol) ?? null,
  };
}

/** What the earnings gate looks at. Where neither a calendar nor filings tell of the symbol, nothing is known, and no entry passes. */
function earningsOf(symbol: string, { near, estimates }: KnownReports, date: SessionDate): SymbolView["earnings"] {
  if (near === null) return estimates?.get(symbol) ?? { isKnown: false, next: null, last: null };
  const reports = near.filter((row) => row.symbol === symbol).map((row) => row.date);
  return {
    isKnown: true,
    next: reports.filter((day) => day >= date).sort()[0] ?? null,
    last:
      reports
        .filter((day) => day < date)
        .sort()
        .at(-1) ?? null,
  };
}
