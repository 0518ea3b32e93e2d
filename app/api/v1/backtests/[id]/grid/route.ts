import { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readGrid } from "@/lib/server/services/backtests/read-grid.ts";
import { startGrid } from "@/lib/server/services/backtests/start-grid.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(backtestGridsApi.read, readGrid),
  defineRoute(backtestGridsApi.start, startGrid),
);
