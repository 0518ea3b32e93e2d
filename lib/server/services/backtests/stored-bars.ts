import { barsBetween } from "@/lib/domain/bars/pack.ts";
import { overlapOf, type Stretch, uncoveredOf } from "@/lib/domain/bars/uncovered.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { addDays, type SessionDate } from "@/lib/domain/time.ts";
import { byText } from "@/lib/domain/text-order.ts";
import { readPacks } from "../../core/bar-packs.ts";
import type { DailyBar } from "../../providers/market-data.ts";
import { BAR_DAYS } from "../cycles/load-bars.ts";
import type { HistoryBars } from "./read-history.ts";

interface Kept {
  covered: Stretch;
  bars: DailyBar[];
}

/**
 * The bars that screening keeps of a market where they cover what is wanted; its source is asked for what is older or newer, and for the whole of
 * symbols without a readable pack. Waits, as the source's limit asks for them, before requests to the source alone.
 */
export function storedBars(market: MarketName, source: HistoryBars): HistoryBars {
  return async (symbols, from, to, pace) => {
    const wanted = { from, to };
    const kept = await readKept(market, symbols, wanted);
    const parts = new Map(symbols.map((symbol) => [symbol, [kept.get(symbol)?.bars ?? []]]));
    for (const { stretch, some } of missingOf(symbols, kept, wanted)) {
      const read = await source(some, stretch.from, stretch.to, pace);
      for (const [symbol, bars] of read) parts.get(symbol)?.push(bars);
    }
    return new Map(
      [...parts].flatMap(([symbol, lists]) => {
        const bars = lists.filter((list) => list.length > 0).sort((a, b) => byText(a[0]!.session, b[0]!.session));
        return bars.length === 0 ? [] : [[symbol, bars.flat()] as const];
      }),
    );
  };
}

async function readKept(market: MarketName, symbols: string[], wanted: Stretch): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>();
  for await (const { symbol, bars, through } of readPacks(market, symbols)) {
    if (bars === null) continue;
    // A day less than is kept: a pack whose last bar is waited for is marked as read up to the day before (`askAgain`).
    const covered = { from: addDays(through, 1 - BAR_DAYS), to: through };
    const both = overlapOf(wanted, covered);
    if (both) kept.set(symbol, { covered, bars: rowsOf(barsBetween(bars, both.from, both.to)) });
  }
  return kept;
}

function rowsOf({ dates, open, high, low, close, volume }: BarSeries): DailyBar[] {
  return dates.map((session, i) => ({
    session,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
  }));
}

/** What the source has to be asked for: symbols of which the same stretch is missing together. */
function missingOf(symbols: readonly string[], kept: ReadonlyMap<string, Kept>, wanted: Stretch) {
  const missing = new Map<SessionDate, { stretch: Stretch; some: string[] }>();
  for (const symbol of symbols)
    for (const stretch of uncoveredOf(wanted, kept.get(symbol)?.covered ?? null)) {
      const key = `${stretch.from} ${stretch.to}`;
      const same = missing.get(key);
      if (same) same.some.push(symbol);
      else missing.set(key, { stretch, some: [symbol] });
    }
  return missing.values();
}
