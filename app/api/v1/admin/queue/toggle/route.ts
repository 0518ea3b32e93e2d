import { queueApi } from "@/lib/contracts/queue.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { toggleQueue } from "@/lib/server/services/queue/toggle-queue.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(queueApi.toggle, toggleQueue),
);
