import { performanceApi } from "@/lib/contracts/performance.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readWeek } from "@/lib/server/services/performance/read-week.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(performanceApi.week, readWeek),
);
