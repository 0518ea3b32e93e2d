import { consoleApi } from "@/lib/contracts/console.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listRecentActivity } from "@/lib/server/services/console/list-recent-activity.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(consoleApi.recentActivity, listRecentActivity),
);
