import { auditApi } from "@/lib/contracts/audit.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { verifyChain } from "@/lib/server/services/audit/verify-chain.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(auditApi.verify, verifyChain),
);
