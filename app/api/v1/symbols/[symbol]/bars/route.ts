import { symbolsApi } from "@/lib/contracts/symbols.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readBars } from "@/lib/server/services/symbols/read-bars.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(symbolsApi.bars, readBars));
