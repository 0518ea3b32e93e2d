import { logsApi } from "@/lib/contracts/logs.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { exportReports } from "@/lib/server/services/logs/export-reports.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(logsApi.export, exportReports),
);
