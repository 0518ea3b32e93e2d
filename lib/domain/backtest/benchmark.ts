import { isJump } from "../screening/check-series.ts";
import { shareGrowth } from "../screening/adjust.ts";
import type { CorporateEvent } from "../screening/features.ts";
import { closedBars, INDEX_SYMBOL, type MarketHistory } from "./history.ts";

/** Total returns by session of the market, from the close before to its own close; null where there is none. Fractions. */
export interface BenchmarkReturns {
  /** Of the index, dividends reinvested. */
  index: (number | null)[];
  /** Mean over the stocks that traded at both closes: all in equal parts, rebalanced each session, without costs. */
  universe: (number | null)[];
}

/** The benchmarks of a whole history. A move that the data check takes for an unreported split is no return. */
export function benchmarkReturns(
  history: MarketHistory,
  events: ReadonlyMap<string, CorporateEvent[]>,
): BenchmarkReturns {
  const { sessions } = history;
  const index: (number | null)[] = sessions.map(() => null);
  const sums = new Float64Array(sessions.length);
  const counts = new Int32Array(sessions.length);
  // Sums of doubles depend on their order: that of the symbols, not that of the tape.
  const symbols = [...history.symbols].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  for (const row of symbols) {
    const isIndex = row.symbol === INDEX_SYMBOL;
    if (row.sector === "ETF" && !isIndex) continue;
    const { bars, at } = closedBars(row, sessions);
    const growth = shareGrowth(bars, events.get(row.symbol) ?? []);
    for (let bar = 1; bar < bars.close.length; bar++) {
      const session = at === null ? bar : at[bar]!;
      // What a price before the session is worth in it: a quotient, so that events long past change no digit.
      const before = bars.close[bar - 1]! / (growth === null ? 1 : growth[bar]! / growth[bar - 1]!);
      const value = bars.close[bar]! / before - 1;
      if (isIndex) index[session] = value;
      else if (!isJump(bars.open[bar]! / before)) {
        sums[session]! += value;
        counts[session]! += 1;
      }
    }
  }
  return { index, universe: Array.from(sums, (total, i) => (counts[i] === 0 ? null : total / counts[i]!)) };
}
