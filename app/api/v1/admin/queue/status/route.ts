import { queueApi } from "@/lib/contracts/queue.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readQueueStatus } from "@/lib/server/services/queue/read-queue-status.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(queueApi.status, readQueueStatus),
);
