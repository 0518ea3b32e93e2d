import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readTop50 } from "@/lib/server/services/selectors/read-top50.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(selectorsApi.top50, readTop50),
);
