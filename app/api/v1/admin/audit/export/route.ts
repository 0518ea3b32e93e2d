import { auditApi } from "@/lib/contracts/audit.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { exportChain } from "@/lib/server/services/audit/export-chain.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(auditApi.export, exportChain),
);
