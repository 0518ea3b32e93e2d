import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { createBacktest } from "@/lib/server/services/backtests/create-backtest.ts";
import { listBacktests } from "@/lib/server/services/backtests/list-backtests.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(backtestsApi.list, listBacktests),
  defineRoute(backtestsApi.create, createBacktest),
);
