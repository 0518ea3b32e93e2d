import { logsApi } from "@/lib/contracts/logs.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listAudit } from "@/lib/server/services/audit/list-audit.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(logsApi.audit, listAudit));
