import { insightApi } from "@/lib/contracts/insight.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { rehearse } from "@/lib/server/services/insight/rehearse.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(insightApi.rehearsal, rehearse),
);
