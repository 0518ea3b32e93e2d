import { consoleApi } from "@/lib/contracts/console.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { testProviders } from "@/lib/server/services/providers/check-providers.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(consoleApi.testGlobalApis, (context, input) => testProviders(context, input)),
);
