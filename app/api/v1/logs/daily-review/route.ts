import { logsApi } from "@/lib/contracts/logs.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { reviewDay } from "@/lib/server/services/logs/review-day.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(logsApi.dailyReview, reviewDay),
);
