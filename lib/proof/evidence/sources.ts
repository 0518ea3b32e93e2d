/**
 * The input of screening and decisions as the services make it from any set of sources: what a source would have given is removed as
 * the services remove it when it does not answer or is not configured.
 */
import { closedBars, INDEX_SYMBOL } from "@/lib/domain/backtest/history.ts";
import { type HistoryIndex, sessionsAround } from "@/lib/domain/backtest/market.ts";

import type { MarketView, RegimeView, SymbolView } from "@/lib/domain/engine/plan.ts";
import { randomOf } from "@/lib/exchange/market/seeded.ts";
import { POLICY_2_9_0 as policy } from "@/lib/domain/policy.ts";
import { computeFeatures, firstBars } from "@/lib/domain/screening/compute-features.ts";
import { estimateReport } from "@/lib/domain/screening/estimate-report.ts";
import type { FeatureRow } from "@/lib/domain/screening/features.ts";
import { dayReturn, readRegime, type RegimeMemory } from "@/lib/domain/screening/regime.ts";
import type { NewsScore } from "@/lib/domain/screening/score.ts";
import { type ScreenResult, screenMarket } from "@/lib/domain/screening/screen-market.ts";
import {
  type KnownReports,
  type ListedSymbol,
  screenedSymbols,
  symbolRow,
} from "@/lib/domain/screening/symbol-rows.ts";
import { NO_SECTOR } from "@/lib/domain/sectors.ts";
import { addDays, newYorkInstant, type SessionDate } from "@/lib/domain/time.ts";

/** The parts of the market's data that can be missing beside Alpaca's bars. */
export const SOURCES = ["news", "calendar", "filings", "sector vendor", "VIX", "quotes", "spreads"] as const;
export type Source = (typeof SOURCES)[number];
export type Sources = ReadonlySet<Source>;

/** Every set of sources. */
export const SOURCE_SETS: readonly Sources[] = Array.from(
  { length: 2 ** SOURCES.length },
  (_, bits) => new Set(SOURCES.filter((_, place) => (bits >> place) & 1)),
);

/** One session of a market with everything that its sources know. */
export interface FullMarket {
  session: SessionDate;
  through: SessionDate;
  sessions: SessionDate[];
  assets: ReadonlyMap<string, ListedSymbol>;
  features: ReadonlyMap<string, FeatureRow | null>;
  news: NewsScore[];
  /** Every report that the calendar lists around the session. */
  reports: { symbol: string; date: SessionDate }[];
  /** Past reports by symbol, as companies filed them. */
  filed: ReadonlyMap<string, SessionDate[]>;
  /** Symbols of which the filings name an industry. */
  withIndustry: ReadonlySet<string>;
  regime: { withVix: RegimeView; withoutVix: RegimeView };
  quotes: ReadonlyMap<string, NonNullable<SymbolView["quote"]>>;
}

/** Beside every third symbol of the tape: more would show no more. */
const NAMED = new Set([INDEX_SYMBOL, "BROAD", "THIN"]);
const NEWS_OF_SYMBOL = 3;
const SETTLE_SESSIONS = 60;
const QUARTER_DAYS = 91;

/** The market of a tape at one session; what a tape does not hold (news, quotes, filings) is drawn from a seed. */
export function fullMarket(index: HistoryIndex, session: SessionDate, vix: (date: SessionDate) => number): FullMarket {
  const place = index.sessionAt.get(session)!;
  const through = index.history.sessions[place - 1]!;
  const random = randomOf(place);
  const some = index.history.symbols.filter(({ symbol }, i) => i % 3 === 2 || NAMED.has(symbol));
  const series = some.flatMap((row) => {
    const { bars } = closedBars(row, index.history.sessions);
    const count = bars.dates.filter((date) => date <= through).length;
    return bars.dates[count - 1] === through ? [firstBars(bars, count)] : [];
  });
  const rows = computeFeatures(series, (symbol) => index.events.get(symbol) ?? []);
  const features = new Map(series.map(({ symbol }, i) => [symbol, rows[i] ?? null]));
  const assets = new Map(
    some.map(({ symbol, name, sector }) => [symbol, { symbol, name, sector: sector ?? NO_SECTOR, isTradable: true }]),
  );
  const names = [...features.keys()].filter((symbol) => symbol !== INDEX_SYMBOL).sort();
  const news = names.flatMap((symbol) =>
    Array.from({ length: Math.floor(random() * NEWS_OF_SYMBOL) }, () => ({
      symbol,
      score: 2 * random() - 1,
      ageDays: 7 * random(),
    })),
  );
  const next = new Map(names.map((symbol) => [symbol, addDays(session, Math.floor(random() * QUARTER_DAYS))]));
  const filed = new Map(
    names
      // Of some companies no filing was read, or too few to say when they report.
      .filter(() => random() > 0.1)
      .map((symbol) => [symbol, pastReports(next.get(symbol)!, random)]),
  );
  const past = [...filed].flatMap(([symbol, dates]) => dates.map((date) => ({ symbol, date })));
  const coming = names.map((symbol) => ({ symbol, date: next.get(symbol)! }));
  const quotes = new Map(
    names.map((symbol) => {
      const last = features.get(symbol)?.close ?? 1;
      const half = last * (random() < 0.15 ? 0.02 : 0.0002 + 0.0006 * random());
      const text = (value: number) => value.toFixed(2);
      return [
        symbol,
        { last: text(last), bid: text(last - half), ask: text(last + half), at: newYorkInstant(session, 10, 4) },
      ];
    }),
  );
  return {
    session,
    through,
    sessions: sessionsAround(index, place, policy),
    assets,
    features,
    news,
    reports: [...past, ...coming].filter(({ date }) => date >= addDays(session, -14) && date <= addDays(session, 30)),
    filed,
    withIndustry: new Set(names.filter(() => random() > 0.3)),
    regime: { withVix: regimeOf(index, place, vix), withoutVix: regimeOf(index, place, null) },
    quotes,
  };
}

/** Five quarters before the coming report, each within the days in which an estimate expects it. */
function pastReports(next: SessionDate, random: () => number): SessionDate[] {
  return Array.from({ length: 5 }, (_, quarter) =>
    addDays(next, -QUARTER_DAYS * (quarter + 1) + Math.floor(random() * 9) - 4),
  );
}

/** The machine of the regime, stepped with its VIX or without one through the sessions before. */
function regimeOf({ history, bySymbol }: HistoryIndex, place: number, vix: ((date: SessionDate) => number) | null) {
  const closes = [...bySymbol.get(INDEX_SYMBOL)!.close];
  let memory: RegimeMemory | null = null;
  let view: RegimeView | null = null;
  for (let session = place - SETTLE_SESSIONS; session <= place; session++) {
    const before = session - 1;
    const reading = readRegime(
      {
        spyCloses: closes.slice(0, session),
        vix: vix === null ? null : vix(history.sessions[before]!),
        spyDayReturn: dayReturn(closes[before], closes[before - 1]),
      },
      memory,
      history.sessions[session]!,
      policy,
    );
    [memory, view] = [reading.memory, reading.view];
  }
  return view!;
}

/** A symbol's sector: the vendor's, else the one of its industry by the filings. */
const assetsOf = ({ assets, withIndustry }: FullMarket, sources: Sources): Map<string, ListedSymbol> =>
  new Map(
    [...assets].map(([symbol, asset]) => {
      const isNamed = sources.has("sector vendor") || (sources.has("filings") && withIndustry.has(symbol));
      return [symbol, isNamed ? asset : { ...asset, sector: asset.sector === "ETF" ? "ETF" : NO_SECTOR }];
    }),
  );

/** A configured calendar answers, or none is configured and the filings let expect a report. */
function reportsOf({ reports, filed, session }: FullMarket, sources: Sources): KnownReports {
  if (sources.has("calendar")) return { near: reports, estimates: null };
  if (!sources.has("filings")) return { near: null, estimates: new Map() };
  const estimates = new Map<string, SymbolView["earnings"]>();
  for (const [symbol, dates] of filed) {
    const past = dates.filter((date) => date < session);
    const estimate = estimateReport(past, session);
    if (estimate) estimates.set(symbol, { isKnown: true, next: null, last: past.sort().at(-1) ?? null, estimate });
  }
  return { near: null, estimates };
}

function quoteOf({ quotes }: FullMarket, symbol: string, sources: Sources): SymbolView["quote"] {
  const quote = quotes.get(symbol);
  if (quote === undefined || !sources.has("quotes")) return null;
  return sources.has("spreads") ? quote : { ...quote, bid: null, ask: null };
}

/** The first selection of a market with these sources. */
export function screened(market: FullMarket, sources: Sources): ScreenResult {
  return screenMarket({
    market: "US",
    sessionDate: market.session,
    universe: screenedSymbols(assetsOf(market, sources).values(), market.features, new Map()),
    news: sources.has("news") ? market.news : null,
    previous: null,
    fastTrack: [],
    policy,
  });
}

/** What every account sees; `alone` gives a seat to every symbol that can be screened: then none waits for another. */
export function viewOf(market: FullMarket, sources: Sources, selection: ScreenResult, alone = false): MarketView {
  const { session, through, sessions, features, regime } = market;
  const momentum = new Map(selection.scores.map((score) => [score.symbol, score.momentumPercentile]));
  const given = {
    assets: assetsOf(market, sources),
    events: new Map<string, never[]>(),
    features,
    momentum,
    quarantine: new Map<string, string>(),
    earnings: reportsOf(market, sources),
  };
  const seats = alone
    ? selection.scores.map((score, i) => ({ ...score, rank: i + 1, kind: "sticky" as const }))
    : selection.seats;
  return {
    market: "US",
    at: newYorkInstant(session, 10, 5),
    session: {
      date: session,
      opensAt: newYorkInstant(session, 9, 30),
      closesAt: newYorkInstant(session, 16, 0),
      isOpen: true,
    },
    barsThrough: through,
    sessions,
    regime: sources.has("VIX") ? regime.withVix : regime.withoutVix,
    seats: seats.map(({ symbol, rank, kind, composite, liquidity, sentiment, technical, momentumPercentile }) => ({
      ...{ symbol, rank, kind, composite, liquidity, sentiment, technical, momentumPercentile },
    })),
    symbols: Object.fromEntries(
      seats.map(({ symbol }) => [
        symbol,
        { ...symbolRow(symbol, given, { through, session }), quote: quoteOf(market, symbol, sources) },
      ]),
    ),
    counts: { screened: features.size, eligible: selection.eligibleCount },
  };
}

/**
 * The same view with another source of prices beside the market's own, as `compareSources` adds it: the source gives a price that lies within the limit,
 * one that lies beyond it, or none.
 */
export function withSecondPrices(view: MarketView, saysOf: (symbol: string) => "near" | "far" | null): MarketView {
  const second = "Finnhub";
  const symbols = Object.values(view.symbols).map((row): SymbolView => {
    const { features, quote } = row;
    const says = saysOf(row.symbol);
    const said = (own: number) => (own * (says === "far" ? 1.05 : 1.0001)).toFixed(9);
    const own = quote === null ? [] : [{ source: "Alpaca", value: quote.last, at: quote.at }];
    const isHeard = says !== null && features !== null;
    const closes = isHeard ? [{ source: second, value: said(features.close), at: view.barsThrough }] : [];
    const other = isHeard && quote ? [{ source: second, value: said(Number(quote.last)), at: quote.at }] : [];
    return { ...row, sources: { at: view.at, closes, quotes: [...own, ...other] } };
  });
  return { ...view, symbols: Object.fromEntries(symbols.map((row) => [row.symbol, row])) };
}
