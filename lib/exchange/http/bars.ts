import { adjustmentOf } from "./adjustments.ts";
import { rowsFor } from "./bar-rows.ts";
import { isDescending, rangeOf, symbolsOf } from "./data-query.ts";
import { manySymbols, type Rows, singleSymbol } from "./pages.ts";
import { type Call, data, type Route } from "./router.ts";

function barRows({ desk, query }: Call): Rows {
  return rowsFor(query.get("timeframe") ?? "", {
    desk,
    ...rangeOf(desk, query),
    adjustment: adjustmentOf(query),
    isDescending: isDescending(query),
  });
}

export const barRoutes: Route[] = [
  data("/v2/stocks/bars", (call) => manySymbols(call, "bars", symbolsOf(call.query), barRows(call))),
  data("/v2/stocks/{symbol}/bars", (call) => singleSymbol(call, "bars", barRows(call))),
];
