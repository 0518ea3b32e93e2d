import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readQaResults } from "@/lib/server/services/selectors/read-qa-results.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(selectorsApi.qaResults, readQaResults),
);
