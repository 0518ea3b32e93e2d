import { policyApi } from "@/lib/contracts/policy.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readActivePolicy } from "@/lib/server/services/policy/read-active.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(policyApi.read, readActivePolicy),
);
