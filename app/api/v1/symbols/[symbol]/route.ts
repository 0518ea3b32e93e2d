import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readSymbol } from "@/lib/server/services/symbols/read-symbol.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(symbolsApi.read, readSymbol));
