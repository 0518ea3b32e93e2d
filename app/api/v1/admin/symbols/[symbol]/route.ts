import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readSymbol } from "@/lib/server/services/selectors/read-symbol.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(selectorsApi.symbol, readSymbol),
);
