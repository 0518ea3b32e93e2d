import { consoleApi } from "@/lib/contracts/console.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readReadiness } from "@/lib/server/services/providers/read-readiness.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(consoleApi.readiness, readReadiness),
);
