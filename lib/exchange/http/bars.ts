import { adjustmentOf } from "./adjustments.ts";
import { rowsFor } from "./bar-rows.ts";
import { isDescending, rangeOf, symbolsOf } from "./data-query.ts";
import { manySymbols, type Rows, singleSymbol } from "./pages.ts";
import { type Call, data, type Route } from "./router.ts";

function barRows({ state, query }: Call): Rows {
  return rowsFor(query.get("timeframe") ?? "", {
    state,
    ...rangeOf(state, query),
    adjustment: adjustmentOf(query),
    isDescending: isDescending(query),
  });
}

export const barRoutes: Route[] = [
  data("/v2/stocks/bars", (call) => manySymbols(call, "bars", symbolsOf(call.query), barRows(call))),
  data("/v2/stocks/{symbol}/bars", (call) => singleSymbol(call, "bars", barRows(call))),
];
