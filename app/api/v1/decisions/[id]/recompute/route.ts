import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { recomputeDecision } from "@/lib/server/services/decisions/recompute-decision.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(decisionsApi.recompute, recomputeDecision),
);
