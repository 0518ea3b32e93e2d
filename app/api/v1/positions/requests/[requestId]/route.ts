import { positionsApi } from "@/lib/contracts/positions.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readSale } from "@/lib/server/services/positions/read-sale.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(positionsApi.readSale, readSale),
);
