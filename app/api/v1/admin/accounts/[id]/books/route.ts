import { operationsApi } from "@/lib/contracts/operations.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { takeBooks } from "@/lib/server/services/operations/settle-account-books.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(operationsApi.takeBooks, takeBooks),
);
