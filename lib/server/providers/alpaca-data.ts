import * as z from "zod";
import { Failure } from "@/lib/domain/failures.ts";
import { isStockSymbol } from "@/lib/domain/screening/stock-symbol.ts";
import { newYork, newYorkInstant, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import { text } from "@/lib/domain/money.ts";
import type { MarketClock } from "../broker/broker.ts";
import { corporateActions } from "./alpaca-actions.ts";
import { type AlpacaReader, alpacaReader, type AlpacaReaderOptions } from "./alpaca-reader.ts";
import type { AssetRow, CalendarDay, DailyBar, NewsRow, Pace, SnapshotRow } from "./market-data.ts";

/** Market data in Alpaca's wire format. Every number is checked here; what is not a finite positive number never gets in. */

export interface AlpacaDataOptions extends AlpacaReaderOptions {
  /** Of the newest prices. */
  feed: string;
}

const SYMBOLS_PER_CALL = 200;
/**
 * Bars of the past are the consolidated tape's, whatever feed the quotes come from: one exchange sees a few hundredths of the volume
 * and other extremes. Every plan may ask for them but for the last fifteen minutes, which closed sessions do not reach into.
 */
const HISTORY_FEED = "sip";

const isInstant = (value: string) => !Number.isNaN(Date.parse(value));
const instant = z.string().refine(isInstant);
/** Beyond these a number is an error of the source, whatever it says. USD and shares. */
const price = z.number().positive().max(10_000_000);
const volume = z.number().nonnegative().max(1_000_000_000_000);
const bar = z.object({ t: instant, o: price, h: price, l: price, c: price, v: volume });
const barsPage = z.object({
  bars: z.record(z.string(), z.array(z.unknown())).nullable(),
  next_page_token: z.string().nullable().optional(),
});
const trade = z.object({ p: price, t: instant });
const quote = z.object({ ap: z.number().max(10_000_000), bp: z.number().max(10_000_000), t: z.string() });
const snapshot = z.object({ latestTrade: trade.nullish(), latestQuote: quote.nullish() });
const clockBody = z.object({
  timestamp: instant,
  is_open: z.boolean(),
  next_open: instant,
  next_close: instant,
});
const calendarBody = z.array(z.object({ date: z.iso.date(), open: z.string(), close: z.string() }));
const asset = z.object({
  symbol: z.string(),
  name: z.string(),
  exchange: z.string(),
  status: z.string(),
  tradable: z.boolean(),
});
const newsItem = z.object({
  id: z.union([z.number(), z.string()]),
  headline: z.string(),
  summary: z.string().nullish(),
  source: z.string().nullish(),
  created_at: instant,
  symbols: z.array(z.string()),
});
const newsPage = z.object({ news: z.array(z.unknown()), next_page_token: z.string().nullable().optional() });
/** A time that took longer to arrive is too old to act by (core/calendar.ts), and a connection that hangs is better opened anew. */
const CLOCK_WITHIN_MS = 5_000;

async function clock(get: AlpacaReader): Promise<MarketClock> {
  const body = await get("clock", clockBody, ["trading", "/v2/clock"], CLOCK_WITHIN_MS);
  const iso = (value: string) => new Date(value).toISOString();
  return {
    now: iso(body.timestamp),
    isOpen: body.is_open,
    nextOpen: iso(body.next_open),
    nextClose: iso(body.next_close),
  };
}

async function calendar(get: AlpacaReader, from: SessionDate, to: SessionDate): Promise<CalendarDay[]> {
  const body = await get("calendar", calendarBody, ["trading", "/v2/calendar", { start: from, end: to }]);
  const at = (date: string, hourMinute: string) => {
    const [hour = "0", minute = "0"] = hourMinute.split(":");
    return newYorkInstant(date, Number(hour), Number(minute));
  };
  return body.map((day) => ({
    session: day.date,
    opensAt: at(day.date, day.open),
    closesAt: at(day.date, day.close),
  }));
}

async function assets(get: AlpacaReader): Promise<Omit<AssetRow, "sector">[]> {
  const body = await get("assets", z.array(z.unknown()), [
    "trading",
    "/v2/assets",
    { status: "active", asset_class: "us_equity" },
  ]);
  // A row that cannot be read is no stock to trade; a market without stocks is no answer.
  const found = readable(asset, body);
  if (found.length === 0) throw new Failure("unavailable", "Alpaca lists no stocks.");
  return found.map(({ symbol, name, exchange, tradable }) => ({ symbol, name, exchange, isTradable: tradable }));
}

async function dailyBars(
  get: AlpacaReader,
  symbols: string[],
  from: SessionDate,
  to: SessionDate,
  pace?: Pace,
): Promise<Map<string, DailyBar[]>> {
  const rows = new Map<string, DailyBar[]>();
  for (const some of chunks(symbols, SYMBOLS_PER_CALL)) {
    let token: string | undefined;
    do {
      await pace?.();
      const page = await get("dailyBars", barsPage, [
        "data",
        "/v2/stocks/bars",
        {
          symbols: some.join(","),
          timeframe: "1Day",
          start: `${from}T00:00:00Z`,
          // A daily bar is dated at New York midnight, 4 or 5 hours into the UTC day.
          end: `${to}T12:00:00Z`,
          limit: 10_000,
          adjustment: "raw",
          feed: HISTORY_FEED,
          sort: "asc",
          page_token: token,
        },
      ]);
      for (const [symbol, items] of Object.entries(page.bars ?? {})) {
        const series = rows.get(symbol) ?? [];
        rows.set(symbol, series);
        for (const item of items) {
          const read = readBar(item);
          const last = series.at(-1);
          // Duplicates and anything out of order or out of range are refused.
          if (read && read.session <= to && (!last || read.session > last.session)) series.push(read);
        }
      }
      token = page.next_page_token ?? undefined;
    } while (token);
  }
  return rows;
}

/** Newest prices. A symbol that the source refuses, or that is no stock's, has none: it must not take those of the others with it. */
async function snapshots(get: AlpacaReader, feed: string, symbols: string[]): Promise<Map<string, SnapshotRow>> {
  const rows = new Map<string, SnapshotRow>();
  const ask = (some: string[]) =>
    get("snapshots", z.record(z.string(), z.unknown()), [
      "data",
      "/v2/stocks/snapshots",
      { symbols: some.join(","), feed: feed },
    ]);
  for (const some of chunks(symbols.filter(isStockSymbol), SYMBOLS_PER_CALL)) {
    for (const [symbol, value] of (await answered(ask, some)).flatMap((body) => Object.entries(body))) {
      const read = snapshot.safeParse(value);
      if (!read.success || !read.data.latestTrade) continue;
      const { latestTrade, latestQuote } = read.data;
      rows.set(symbol, {
        symbol,
        last: text(latestTrade.p),
        lastAt: new Date(latestTrade.t).toISOString(),
        quotedAt: latestQuote && isInstant(latestQuote.t) ? new Date(latestQuote.t).toISOString() : null,
        // A price of 0 means that side has no quote.
        bid: latestQuote && latestQuote.bp > 0 ? text(latestQuote.bp) : null,
        ask: latestQuote && latestQuote.ap > 0 ? text(latestQuote.ap) : null,
      });
    }
  }
  return rows;
}

async function news(get: AlpacaReader, since: Instant): Promise<NewsRow[]> {
  const rows: NewsRow[] = [];
  let token: string | undefined;
  do {
    const page = await get("news", newsPage, [
      "data",
      "/v1beta1/news",
      { start: since, limit: 50, sort: "asc", page_token: token },
    ]);
    for (const item of readable(newsItem, page.news)) {
      rows.push({
        id: String(item.id),
        symbols: item.symbols,
        headline: item.headline,
        summary: item.summary ?? "",
        source: item.source ?? "unknown",
        publishedAt: new Date(item.created_at).toISOString(),
      });
    }
    token = page.next_page_token ?? undefined;
  } while (token);
  return rows;
}

export function alpacaData(options: AlpacaDataOptions) {
  const get = alpacaReader(options);
  const { feed } = options;
  return {
    clock: () => clock(get),
    calendar: (from: SessionDate, to: SessionDate) => calendar(get, from, to),
    assets: () => assets(get),
    dailyBars: (symbols: string[], from: SessionDate, to: SessionDate, pace?: Pace) =>
      dailyBars(get, symbols, from, to, pace),
    snapshots: (symbols: string[]) => snapshots(get, feed, symbols),
    corporateActions: (from: SessionDate, to: SessionDate, pace?: Pace) => corporateActions(get, from, to, pace),
    news: (since: Instant) => news(get, since),
  };
}

/** The rows that are what they should be. */
function readable<S extends z.ZodType>(schema: S, rows: unknown[]): z.output<S>[] {
  return rows.flatMap((row) => {
    const read = schema.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

function readBar(item: unknown): DailyBar | null {
  const read = bar.safeParse(item);
  if (!read.success) return null;
  const { t, o, h, l, c, v } = read.data;
  if (h < l || h < o || h < c || l > o || l > c) return null;
  return { session: newYork(t).date, open: o, high: h, low: l, close: c, volume: v };
}

/** Refusals of one question in all: enough to find a few odd symbols among hundreds. */
const MOST_REFUSALS = 40;

/** What the source answers to the symbols. One that it does not take makes it refuse them all: halves of them are asked until that one is alone. */
async function answered<T>(ask: (symbols: string[]) => Promise<T>, symbols: string[]): Promise<T[]> {
  let refusals = 0;
  const askSome = async (some: string[]): Promise<T[]> => {
    try {
      return [await ask(some)];
    } catch (error) {
      const cause = error instanceof Failure ? (error.cause as { status?: unknown } | undefined) : undefined;
      refusals += 1;
      if (cause?.status !== 400 || refusals > MOST_REFUSALS) throw error;
      if (some.length === 1) return [];
      const half = Math.ceil(some.length / 2);
      return [...(await askSome(some.slice(0, half))), ...(await askSome(some.slice(half)))];
    }
  };
  return askSome(symbols);
}

function chunks<T>(items: T[], size: number): T[][] {
  const result: T[][] = [];
  for (let i = 0; i < items.length; i += size) result.push(items.slice(i, i + size));
  return result;
}
