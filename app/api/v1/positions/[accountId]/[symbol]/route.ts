import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readPosition } from "@/lib/server/services/symbols/read-position.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(symbolsApi.position, readPosition),
);
