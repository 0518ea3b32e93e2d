import { practiceMarketApi } from "@/lib/contracts/practice-market.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPracticeMarket } from "@/lib/server/services/automation/read-practice-market.ts";
import { controlPracticeMarket } from "@/lib/server/services/automation/control-practice-market.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(practiceMarketApi.read, readPracticeMarket),
  defineRoute(practiceMarketApi.steer, controlPracticeMarket),
);
