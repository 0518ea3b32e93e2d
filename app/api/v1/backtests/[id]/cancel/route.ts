import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { cancelBacktest } from "@/lib/server/services/backtests/cancel-backtest.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(backtestsApi.cancel, cancelBacktest),
);
