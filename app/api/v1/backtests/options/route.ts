import { backtestsApi } from "@/lib/contracts/backtests.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readOptions } from "@/lib/server/services/backtests/read-options.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(backtestsApi.options, readOptions),
);
