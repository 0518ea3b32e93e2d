import { referenceApi } from "@/lib/contracts/reference.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { describeApi } from "@/lib/server/services/reference/describe-api.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(referenceApi.openapi, describeApi),
);
