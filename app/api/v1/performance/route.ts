import { performanceApi } from "@/lib/contracts/performance.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPerformance } from "@/lib/server/services/performance/read-performance.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(performanceApi.read, readPerformance),
);
