import { automationApi } from "@/lib/contracts/automation.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readMarket } from "@/lib/server/services/automation/read-market.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(automationApi.market, readMarket),
);
