import { insightApi } from "@/lib/contracts/insight.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { tellDecision } from "@/lib/server/services/insight/tell-decision.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(insightApi.decision, tellDecision),
);
