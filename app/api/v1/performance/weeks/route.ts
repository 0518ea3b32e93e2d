import { performanceApi } from "@/lib/contracts/performance.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listWeeks } from "@/lib/server/services/performance/list-weeks.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(performanceApi.weeks, listWeeks),
);
