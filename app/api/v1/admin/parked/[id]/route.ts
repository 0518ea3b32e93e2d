import { operationsApi } from "@/lib/contracts/operations.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { resolveParkedOrder } from "@/lib/server/services/operations/settle-order.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(operationsApi.resolveParked, resolveParkedOrder),
);
