import { rateLimitsApi } from "@/lib/contracts/rate-limits.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { removeLimit } from "@/lib/server/services/rate-limits/remove-limit.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(rateLimitsApi.remove, removeLimit),
);
