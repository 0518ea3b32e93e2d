import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listLimits } from "@/lib/server/services/rate-limits/list-limits.ts";
import { saveLimit } from "@/lib/server/services/rate-limits/save-limit.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rateLimitsApi.list, listLimits),
  defineRoute(rateLimitsApi.save, saveLimit),
);
