import { consoleApi } from "@/lib/contracts/console.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readMetrics } from "@/lib/server/services/console/read-metrics.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(consoleApi.metrics, (context, input) => readMetrics(context, input)),
);
