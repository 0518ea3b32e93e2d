import { healthApi } from "@/lib/contracts/health.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { reportLive } from "@/lib/server/services/health/report-health.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(healthApi.live, reportLive));
