import { policyApi } from "@/lib/contracts/policy.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { deleteDraft, editDraft } from "@/lib/server/services/policy/draft-policy.ts";
import { readVersion } from "@/lib/server/services/policy/list-versions.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(policyApi.version, readVersion),
  defineRoute(policyApi.editDraft, editDraft),
  defineRoute(policyApi.deleteDraft, deleteDraft),
);
