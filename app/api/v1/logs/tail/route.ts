import { logsApi } from "@/lib/contracts/logs.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { tailLogs } from "@/lib/server/services/logs/tail-logs.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(logsApi.tail, tailLogs));
