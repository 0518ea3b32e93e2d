import { positionsApi } from "@/lib/contracts/positions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { tightenStop } from "@/lib/server/services/positions/tighten-stop.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(positionsApi.tightenStop, tightenStop),
);
