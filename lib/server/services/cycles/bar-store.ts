import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { BarSeries, CorporateEvent } from "@/lib/domain/screening/features.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { companySectors } from "../../core/company-sectors.ts";
import type { AssetRow, DailyBar } from "../../providers/market-data.ts";

/**
 * Bars are kept this many calendar days back from the last one: eight quarterly reports (up to 800 days before a session)
 * with a close before each, and 400 bars for indicators (580 days) besides.
 */
const BAR_DAYS = 830;
/** Of the symbols that traded in each of the five sessions before, this share must have a bar of the last one. */
const LEAST_COVERAGE = 0.95;
const STEADY_SESSIONS = 5;

/**
 * Raw daily bars and corporate actions of one market, held by the worker process and grown by a session
 * at a time: the history is read once, not at every cycle.
 */
export interface BarStore {
  assets: Map<string, AssetRow>;
  series: Map<string, BarSeries>;
  events: Map<string, CorporateEvent[]>;
  through: SessionDate | null;
}

const stores = new Map<string, BarStore>();

/** The store with every bar up to and including `through`. */
export async function barsThrough(context: Context, market: MarketName, through: SessionDate): Promise<BarStore> {
  const known = stores.get(market);
  if (known?.through === through) return known;
  const data = context.marketData(market);
  const oldest = addDays(through, -BAR_DAYS);
  // A market that went back in time is another market: start over.
  const base = known?.through && known.through < through ? known : null;
  const [assets, actions] = await Promise.all([
    assetsWithSectors(context, market),
    data.corporateActions(oldest, addDays(through, 7)),
  ]);
  const tradable = assets.filter((asset) => /^[A-Z][A-Z0-9.]{0,9}$/.test(asset.symbol));
  const symbols = tradable.map((asset) => asset.symbol);
  const fresh = symbols.filter((symbol) => !base?.series.has(symbol));
  const grown = symbols.filter((symbol) => base?.series.has(symbol));
  const [all, some] = await Promise.all([
    fresh.length > 0 ? data.dailyBars(fresh, oldest, through) : new Map<string, DailyBar[]>(),
    base?.through && grown.length > 0
      ? data.dailyBars(grown, addDays(base.through, 1), through)
      : new Map<string, DailyBar[]>(),
  ]);

  const series = new Map(base?.series ?? []);
  for (const [symbol, bars] of all) series.set(symbol, toSeries(symbol, bars));
  // What a store holds depends on its last session alone, never on the session at which the process began.
  for (const symbol of grown) {
    const before = series.get(symbol);
    if (before) series.set(symbol, append(from(before, oldest), some.get(symbol) ?? []));
  }
  const events = new Map<string, CorporateEvent[]>();
  for (const { symbol, exDate, kind, value } of actions) {
    const list = events.get(symbol) ?? [];
    list.push({ symbol, date: exDate, kind, value });
    events.set(symbol, list);
  }
  requireCoverage(series, through);
  const store = { assets: new Map(tradable.map((asset) => [asset.symbol, asset])), series, events, through };
  stores.set(market, store);
  return store;
}

/** A sector that no vendor names is the one of the company's industry by the SEC. */
async function assetsWithSectors({ db, marketData }: Context, market: MarketName): Promise<AssetRow[]> {
  const assets = await marketData(market).assets();
  if (market !== "US" || assets.every(({ sector }) => sector !== "Unknown")) return assets;
  const sectors = await companySectors(db);
  return assets.map((asset) =>
    asset.sector === "Unknown" ? { ...asset, sector: sectors.get(asset.symbol) ?? "Unknown" } : asset,
  );
}

/**
 * Refuses a session whose bars have not all arrived: a selection among what happens to be there is a wrong one.
 * Nothing is kept, so the next pass asks again; exits rest at the broker meanwhile.
 */
function requireCoverage(series: Map<string, BarSeries>, through: SessionDate): void {
  const tails = [...series.values()].map(({ dates }) => dates.slice(-STEADY_SESSIONS - 1));
  const sessions = [...new Set(tails.flat())].filter((date) => date < through).sort();
  const recent = sessions.slice(-STEADY_SESSIONS);
  const steady = tails.filter((dates) => recent.every((date) => dates.includes(date)));
  const present = steady.filter((dates) => dates.at(-1) === through).length;
  if (present >= steady.length * LEAST_COVERAGE) return;
  throw new Failure(
    "unavailable",
    `Only ${present} of ${steady.length} symbols have a bar of ${through} yet: the market is not screened.`,
  );
}

function toSeries(symbol: string, bars: DailyBar[]): BarSeries {
  return {
    symbol,
    dates: bars.map((bar) => bar.session),
    open: Float64Array.from(bars, (bar) => bar.open),
    high: Float64Array.from(bars, (bar) => bar.high),
    low: Float64Array.from(bars, (bar) => bar.low),
    close: Float64Array.from(bars, (bar) => bar.close),
    volume: Float64Array.from(bars, (bar) => bar.volume),
  };
}

/** The bars of a series from a session on. */
function from(series: BarSeries, oldest: SessionDate): BarSeries {
  const first = series.dates.findIndex((date) => date >= oldest);
  if (first === 0) return series;
  const at = first === -1 ? series.dates.length : first;
  const { symbol, dates, open, high, low, close, volume } = series;
  return {
    symbol,
    dates: dates.slice(at),
    open: open.slice(at),
    high: high.slice(at),
    low: low.slice(at),
    close: close.slice(at),
    volume: volume.slice(at),
  };
}

function append(series: BarSeries, bars: DailyBar[]): BarSeries {
  const last = series.dates.at(-1) ?? "";
  const more = toSeries(
    series.symbol,
    bars.filter((bar) => bar.session > last),
  );
  const join = (a: Float64Array, b: Float64Array) => {
    const joined = new Float64Array(a.length + b.length);
    joined.set(a);
    joined.set(b, a.length);
    return joined;
  };
  return {
    symbol: series.symbol,
    dates: [...series.dates, ...more.dates],
    open: join(series.open, more.open),
    high: join(series.high, more.high),
    low: join(series.low, more.low),
    close: join(series.close, more.close),
    volume: join(series.volume, more.volume),
  };
}
