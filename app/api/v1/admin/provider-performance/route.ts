import { consoleApi } from "@/lib/contracts/console.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readProviderPerformance } from "@/lib/server/services/providers/read-performance.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(consoleApi.providerPerformance, readProviderPerformance),
);
