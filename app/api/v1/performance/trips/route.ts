import { performanceApi } from "@/lib/contracts/performance.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listRoundTrips } from "@/lib/server/services/performance/list-round-trips.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(performanceApi.trips, listRoundTrips),
);
