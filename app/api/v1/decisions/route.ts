import { decisionsApi } from "@/lib/contracts/decisions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listDecisions } from "@/lib/server/services/decisions/list-decisions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(decisionsApi.list, listDecisions),
);
