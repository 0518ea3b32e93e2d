import type { generateMarket } from "@/lib/exchange/market/generated.ts";
import type { Market } from "@/lib/exchange/market/source.ts";
import { keptMarket } from "./test-exchange.ts";

/** The generated market with rows or prices of a test's own in place of some of its. */
export function changedMarket(change: (market: Market) => Partial<Market>): typeof generateMarket {
  return (options) => {
    const market = keptMarket(options);
    const own = Object.entries(change(market)).map(([name, value]) => [name, { value }]);
    return Object.create(market, Object.fromEntries(own)) as Market;
  };
}
