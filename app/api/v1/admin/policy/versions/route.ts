import { policyApi } from "@/lib/contracts/policy.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { createDraft } from "@/lib/server/services/policy/draft-policy.ts";
import { listVersions } from "@/lib/server/services/policy/list-versions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(policyApi.versions, listVersions),
  defineRoute(policyApi.createDraft, createDraft),
);
