import { positionsApi } from "@/lib/contracts/positions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sellPosition } from "@/lib/server/services/positions/sell-position.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(positionsApi.sell, (context, input) => sellPosition(context, input)),
);
