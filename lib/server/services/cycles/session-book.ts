import type { RegimeView, SeatView, SymbolView } from "@/lib/domain/engine/plan.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { knownSessions } from "@/lib/domain/look-back.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import { screenMarket, type ScreenResult } from "@/lib/domain/screening/screen-market.ts";
import type { ScreenedSymbol } from "@/lib/domain/screening/score.ts";
import { screenedSymbols, symbolRow } from "@/lib/domain/screening/symbol-rows.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { compareCloses } from "./compare-sources.ts";
import { type MarketBars, readMarketBars } from "./market-bars.ts";
import { storeQa } from "../selectors/store-qa.ts";
import { storeWatchlist } from "../selectors/store-watchlist.ts";
import { type Earnings, readEarnings } from "./read-earnings.ts";
import { type NewsInput, readNews } from "./read-news.ts";
import { readSessionRegime } from "./read-session-regime.ts";
import { storeBenchmarkEvents } from "./store-benchmark.ts";
import { latestSelection, storeSelection, type StoredSelection } from "./store-selection.ts";

/** Everything about a market that holds for one whole session: computed once, then shared by its cycles. */
export interface SessionBook {
  market: MarketName;
  session: CalendarDay;
  barsThrough: SessionDate;
  sessions: SessionDate[];
  policy: Policy;
  regime: RegimeView;
  seats: SeatView[];
  selectionId: string;
  /** What the screening chose and why, for the QA rules. */
  selection: Pick<ScreenResult, "seats" | "swaps" | "promoted" | "fastTracked" | "sectorSeats">;
  counts: { screened: number; eligible: number };
  /** A symbol's row without its quote; unknown symbols are not tradable. */
  symbolRow(symbol: string): SymbolView;
}

const books = new Map<string, SessionBook>();

/** The book of a session: from memory, or made from bars closed before it. Null when too little is known to trade. */
export async function openSessionBook(
  context: Context,
  market: MarketName,
  session: CalendarDay,
  calendar: CalendarDay[],
): Promise<SessionBook | null> {
  const policy = await activePolicy(context);
  const cached = books.get(market);
  if (cached?.session.session === session.session && cached.policy.version === policy.version) return cached;

  const through = calendar[placeOf(session, calendar) - 1]?.session;
  if (!through) return null;
  const startedAt = performance.now();
  const book = await makeBook(context, { market, session, calendar, through, policy });
  books.set(market, book);
  context.log.info("session.opened", {
    market,
    session: session.session,
    screened: book.counts.screened,
    eligible: book.counts.eligible,
    seats: book.seats.length,
    regime: book.regime.label,
    durationMs: Math.round(performance.now() - startedAt),
  });
  return book;
}

const placeOf = ({ session }: CalendarDay, calendar: CalendarDay[]) =>
  calendar.findIndex((day) => day.session === session);

interface BookQuestion {
  market: MarketName;
  session: CalendarDay;
  calendar: CalendarDay[];
  through: SessionDate;
  policy: Policy;
}

/** What the screening of a session reads. */
interface Evidence extends Pick<MarketBars, "assets" | "events" | "features" | "quarantine"> {
  news: NewsInput[] | null;
  earnings: Earnings;
}

/** Screens the market for a session and stores the result. */
async function makeBook(context: Context, question: BookQuestion): Promise<SessionBook> {
  const { market, session, calendar, through, policy } = question;
  const earnings = await readEarnings(context, market, session.session, policy);
  const bars = await readMarketBars(context, { market, through, past: earnings.past });
  const { index } = bars;
  const regime = await readSessionRegime(context, market, session.session, calendar, index, policy);
  if (index) await storeBenchmarkEvents(context, market, index, bars.events.get(index.symbol) ?? []);
  const news = await readNews(context, market, session.opensAt, policy);
  const evidence: Evidence = { ...bars, news, earnings };
  const { result, aside, universe, failedPriceSources } = await screenCompared(context, question, evidence);
  // Before the selection: who reads that a session was screened finds its watchlist.
  if (earnings.near !== null) {
    await storeWatchlist(context, {
      market,
      session: session.session,
      universe,
      reactions: bars.reactions,
      coming: earnings.near.filter((row) => row.date >= session.session),
      policy,
    });
  }
  const stored: StoredSelection = await storeSelection(context, market, session.session, policy, result, {
    quarantine: Object.fromEntries(aside),
    hasEarnings: earnings.near !== null,
    hasCalendarFailed: earnings.near === null && earnings.estimates === null,
    hasSectorVendorFailed: bars.hasSectorVendorFailed,
    failedPriceSources,
  });
  await storeQa(context, { selectionId: stored.id, result, regime: regime.label, policy, at: session.opensAt });
  const momentum = new Map(result.scores.map((score) => [score.symbol, score.momentumPercentile]));

  const place = placeOf(session, calendar);
  return {
    market,
    session,
    barsThrough: through,
    sessions: knownSessions(
      calendar.map((day) => day.session),
      place,
      policy,
    ),
    policy,
    regime,
    seats: stored.seats,
    selectionId: stored.id,
    selection: result,
    counts: { screened: universe.filter((each) => each.features !== null).length, eligible: result.eligibleCount },
    symbolRow: (symbol) => symbolRow(symbol, { ...evidence, momentum }, { through, session: session.session }),
  };
}

interface Screened {
  result: ScreenResult;
  /** Symbols that may not be bought, with the reason: implausible bars, or sources that disagree. */
  aside: Map<string, string>;
  universe: ScreenedSymbol[];
  failedPriceSources: string[];
}

/** Chooses the seats. Candidates whose sources disagree about the last close leave the screening, and others take their places. */
async function screenCompared(
  context: Context,
  { market, session, through, policy }: BookQuestion,
  evidence: Evidence,
): Promise<Screened> {
  const { assets, features, quarantine, news } = evidence;
  const previous = await latestSelection(context, market, session.session);
  const screen = (universe: ScreenedSymbol[]) =>
    screenMarket({
      market,
      sessionDate: session.session,
      universe,
      news,
      previous: previous?.memory ?? null,
      // A fast track needs a verified event. The calendars tell when a company reports, not whether it beat, and no
      // source of index changes is connected: nothing is verified, so no symbol skips the wait.
      fastTrack: [],
      policy,
    });
  const universe = screenedSymbols(assets.values(), features, quarantine);
  const result = screen(universe);
  const { apart, failed: failedPriceSources } = await compareCloses(context, {
    market,
    session,
    barsThrough: through,
    policy,
    candidates: result.scores.map(({ symbol }) => symbol),
    isListed: (symbol) => assets.has(symbol),
    rowOf: (symbol) => symbolRow(symbol, { ...evidence, momentum: new Map() }, { through, session: session.session }),
  });
  if (apart.size === 0) return { result, aside: quarantine, universe, failedPriceSources };
  const aside = new Map([...apart, ...quarantine]);
  const others = screenedSymbols(assets.values(), features, aside);
  return { result: screen(others), aside, universe: others, failedPriceSources };
}
