import { policyApi } from "@/lib/contracts/policy.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { activatePolicy } from "@/lib/server/services/policy/activate-policy.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(policyApi.activate, activatePolicy),
);
