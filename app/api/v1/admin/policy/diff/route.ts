import { policyApi } from "@/lib/contracts/policy.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { diffVersions } from "@/lib/server/services/policy/list-versions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(policyApi.diff, diffVersions),
);
