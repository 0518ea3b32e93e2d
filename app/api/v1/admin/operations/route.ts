import { operationsApi } from "@/lib/contracts/operations.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readOperations } from "@/lib/server/services/operations/read-operations.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(operationsApi.read, readOperations),
);
