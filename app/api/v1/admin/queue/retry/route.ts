import { queueApi } from "@/lib/contracts/queue.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { retryJobs } from "@/lib/server/services/queue/retry-jobs.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(queueApi.retry, retryJobs));
