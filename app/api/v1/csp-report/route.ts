import { cspReportApi } from "@/lib/contracts/csp-report.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { logCspReport } from "@/lib/server/services/csp-report/log-csp-report.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(cspReportApi.send, logCspReport),
);
