import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readEarningsWatchlist } from "@/lib/server/services/selectors/read-earnings-watchlist.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(selectorsApi.earningsWatchlist, readEarningsWatchlist),
);
