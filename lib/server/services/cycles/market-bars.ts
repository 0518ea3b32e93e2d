import { barsBetween } from "@/lib/domain/bars/pack.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { adjustForSplits } from "@/lib/domain/screening/adjust.ts";
import { unexplainedJump, unreadSplit } from "@/lib/domain/screening/check-series.ts";
import { computeFeatures } from "@/lib/domain/screening/compute-features.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "@/lib/domain/screening/features.ts";
import { isStockSymbol } from "@/lib/domain/screening/stock-symbol.ts";
import { earningsReactions, type EarningsReaction } from "@/lib/domain/screening/watchlist.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { historyText, isScreenable, LEAST_COVERAGE } from "@/lib/domain/bars/history-text.ts";
import type { Context } from "../../context.ts";
import { readPacks } from "../../core/bar-packs.ts";
import { withBarsLock } from "../../core/bars-lock.ts";
import { companySectors } from "../../core/company-sectors.ts";
import type { AssetRow, EarningsRow } from "../../providers/market-data.ts";
import { sessionOf } from "../../rows.ts";
import { historyRate, minutesLeft } from "./history-pace.ts";
import { askAgain, dropPacks, loadBars, unreadSymbols } from "./load-bars.ts";
import { storedEvents, unreadableSplits } from "./load-events.ts";

/** Of the symbols that traded in each of so many sessions before, `LEAST_COVERAGE` must have a bar of the last one. */
const STEADY_SESSIONS = 5;
/** The index that the regime and the benchmark are read from. */
const INDEX = "SPY";
/** Another worker that loads the same bars is waited for this long. */
const WAIT_MS = 60_000;

/** What a session needs of a market's bars. The bars themselves are read one symbol at a time and not held. */
export interface MarketBars {
  assets: Map<string, AssetRow>;
  /** A vendor of sectors is configured and named none. */
  hasSectorVendorFailed: boolean;
  /** Of the symbols with a bar of the last session; null with too few bars. */
  features: Map<string, FeatureRow | null>;
  /** Symbols whose bars cannot be trusted, with the reason: they get no seat and no new position. */
  quarantine: Map<string, string>;
  /** How prices answered the past reports, by symbol. */
  reactions: Map<string, EarningsReaction[]>;
  events: Map<string, CorporateEvent[]>;
  index: BarSeries | undefined;
  through: SessionDate;
}

interface Wanted {
  market: MarketName;
  through: SessionDate;
  /** Reports before the session. */
  past: readonly EarningsRow[];
}

/** A market's bars up to and including `through`: what is missing is loaded first. */
export async function readMarketBars(context: Context, wanted: Wanted): Promise<MarketBars> {
  const { market, through } = wanted;
  const { assets: tradable, hasSectorVendorFailed } = await listedAssets(context, market);
  const symbols = tradable.map(({ symbol }) => symbol);
  const assets = new Map(tradable.map((asset) => [asset.symbol, asset]));
  await requireBars(context, market, symbols, through);
  const unreadable: string[] = [];
  let bars = await scanBars(context, wanted, assets, unreadable);
  if (unreadable.length > 0) {
    context.log.error("bars.pack-unreadable", { market, count: unreadable.length, symbols: unreadable });
    await dropPacks(context, market, unreadable);
    await requireBars(context, market, symbols, through);
    bars = await scanBars(context, wanted, assets, []);
  }
  return { ...bars, hasSectorVendorFailed };
}

/** What the market lists and we can name, with sectors. */
export const tradableAssets = async (context: Context, market: MarketName): Promise<AssetRow[]> =>
  (await listedAssets(context, market)).assets;

/** The same, and whether the vendor that is to name sectors did not. */
async function listedAssets(context: Context, market: MarketName) {
  const { log, marketData } = context;
  const data = marketData(market);
  const listed = await data.assets();
  const hasSectorVendorFailed = data.hasSectorVendor && listed.every(({ sector }) => sector === "Unknown");
  if (hasSectorVendorFailed) log.warn("sectors.read-failed", { market, count: listed.length });
  const assets = await withSectors(context, market, listed);
  return { assets: assets.filter(({ symbol }) => isStockSymbol(symbol)), hasSectorVendorFailed };
}

/** A sector that no vendor names is the one of the company's industry by the SEC. */
async function withSectors({ db }: Context, market: MarketName, listed: AssetRow[]): Promise<AssetRow[]> {
  if (market !== "US" || listed.every(({ sector }) => sector !== "Unknown")) return listed;
  const sectors = await companySectors(db);
  return listed.map((asset) =>
    asset.sector === "Unknown" ? { ...asset, sector: sectors.get(asset.symbol) ?? "Unknown" } : asset,
  );
}

/** Loads what is not stored yet. Where a source with a limit has most of the history still to give, that is the job's work (load-history.ts). */
async function requireBars(
  context: Context,
  market: MarketName,
  symbols: readonly string[],
  through: SessionDate,
): Promise<void> {
  const [unread, history] = await Promise.all([
    unreadSymbols(context, market, symbols, through),
    context.db.barHistory.findUnique({ where: { market }, select: { eventsThrough: true } }),
  ]);
  if (unread.length === 0 && history?.eventsThrough && sessionOf(history.eventsThrough) === through) return;
  const waiting = unread.filter((row) => row.through === null).length;
  if (historyRate(market) !== null && !isScreenable({ symbols: symbols.length, waiting }))
    throw new Failure(
      "unavailable",
      `${historyText({ symbols: symbols.length, waiting, minutes: minutesLeft(market, waiting) })} The market is not screened yet.`,
    );
  const left = await withBarsLock(market, { waitMs: WAIT_MS }, () => loadBars(context, { market, symbols, through }));
  if (left === null) throw new Failure("unavailable", "Another worker is still loading the market's bars.");
}

/** One pass over everything that is stored: a symbol's bars are in memory while it is its turn. */
async function scanBars(
  context: Context,
  { market, through, past }: Wanted,
  assets: Map<string, AssetRow>,
  unreadable: string[],
): Promise<Omit<MarketBars, "hasSectorVendorFailed">> {
  const [events, unreadSplits] = await Promise.all([storedEvents(context, market), unreadableSplits(context, market)]);
  const reports = groupBySymbol(past);
  const features = new Map<string, FeatureRow | null>();
  const quarantine = new Map<string, string>();
  const reactions = new Map<string, EarningsReaction[]>();
  const tails: SessionDate[][] = [];
  let index: BarSeries | undefined;
  for await (const { symbol, bars } of readPacks(market)) {
    if (!assets.has(symbol)) continue;
    if (bars === null) {
      unreadable.push(symbol);
      continue;
    }
    if (bars.dates.length === 0) continue;
    const own = events.get(symbol) ?? [];
    // A symbol whose bars stopped before the last closed session has no present: it is not screened.
    if (bars.dates.at(-1) === through) features.set(symbol, computeFeatures([bars], () => own)[0] ?? null);
    const fault = unreadSplit(bars, unreadSplits.get(symbol)) ?? unexplainedJump(bars, own);
    if (fault !== null) quarantine.set(symbol, fault);
    const reported = reports.get(symbol);
    if (reported) reactions.set(symbol, reactionsOf(bars, own, reported));
    if (symbol === INDEX) index = barsBetween(bars, "", through);
    tails.push(bars.dates.slice(-STEADY_SESSIONS - 1));
  }
  await requireCoverage(context, market, tails, through);
  if (quarantine.size > 0) {
    const symbols = [...quarantine].map(([symbol, reason]) => `${symbol}: ${reason}`).sort();
    context.log.warn("bars.quarantined", { count: quarantine.size, symbols });
  }
  return { assets, features, quarantine, reactions, events, index, through };
}

/**
 * Refuses a session whose bars have not all arrived: a selection among what happens to be there is a wrong one.
 * The next pass asks again for what is missing; exits rest at the broker meanwhile.
 */
async function requireCoverage(
  context: Context,
  market: MarketName,
  tails: readonly SessionDate[][],
  through: SessionDate,
): Promise<void> {
  const sessions = [...new Set(tails.flat())].filter((date) => date < through).sort();
  const recent = sessions.slice(-STEADY_SESSIONS);
  const steady = tails.filter((dates) => recent.every((date) => dates.includes(date)));
  const present = steady.filter((dates) => dates.at(-1) === through).length;
  if (present >= steady.length * LEAST_COVERAGE) return;
  await askAgain(context, market, through);
  throw new Failure(
    "unavailable",
    `Only ${present} of ${steady.length} symbols have a bar of ${through} yet: the market is not screened.`,
  );
}

/** How a price answered reports; a split between a report and now is no answer to it. */
export const reactionsOf = (bars: BarSeries, events: CorporateEvent[], reports: readonly EarningsRow[]) =>
  earningsReactions(adjustForSplits(bars, events), reports);

function groupBySymbol(rows: readonly EarningsRow[]): Map<string, EarningsRow[]> {
  const groups = new Map<string, EarningsRow[]>();
  for (const row of rows) {
    const group = groups.get(row.symbol);
    if (group) group.push(row);
    else groups.set(row.symbol, [row]);
  }
  return groups;
}
