import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readDecision } from "@/lib/server/services/decisions/read-decision.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(decisionsApi.read, readDecision),
);
