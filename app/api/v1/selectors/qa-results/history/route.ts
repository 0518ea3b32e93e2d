import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listQaHistory } from "@/lib/server/services/selectors/list-qa-history.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(selectorsApi.qaHistory, listQaHistory),
);
