import type { generateMarket } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { keptMarket } from "./test-exchange.ts";

/** The generated market with rows or prices of a test's own in place of some of its. */
export function changedMarket(change: (market: Market) => Partial<Market>): typeof generateMarket {
  return (options) => {
    const market = keptMarket(options);
    const own = Object.entries(change(market)).map(([name, value]) => [name, { value }]);
    return Object.create(market, Object.fromEntries(own)) as Market;
  };
}

/** A change by which a symbol has no bar on some sessions. */
export function untraded(market: Market, symbol: string, dates: SessionDate[]): Pick<Market, "series"> {
  const without = (column: ArrayLike<number>) => {
    const indices = dates.map((date) => market.sessionIndex(date));
    return Array.from(column, (value, i) => (indices.includes(i) ? NaN : value));
  };
  return {
    series(asked) {
      const series = market.series(asked);
      if (series === undefined || asked !== symbol) return series;
      const { open, high, low, close, volume } = series;
      return {
        open: without(open),
        high: without(high),
        low: without(low),
        close: without(close),
        volume: without(volume),
      };
    },
  };
}
