import { performanceApi } from "@/lib/contracts/performance.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listMarkers } from "@/lib/server/services/performance/list-markers.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(performanceApi.markers, listMarkers),
);
