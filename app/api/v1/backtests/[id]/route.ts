import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { deleteBacktest } from "@/lib/server/services/backtests/delete-backtest.ts";
import { readBacktest } from "@/lib/server/services/backtests/read-backtest.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(backtestsApi.read, readBacktest),
  defineRoute(backtestsApi.remove, deleteBacktest),
);
