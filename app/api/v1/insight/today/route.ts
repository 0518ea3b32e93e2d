import { insightApi } from "@/lib/contracts/insight.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readToday } from "@/lib/server/services/insight/read-today.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(insightApi.today, readToday));
