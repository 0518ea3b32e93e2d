import { invariantsApi } from "@/lib/contracts/invariants.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listInvariants } from "@/lib/server/services/invariants/list-invariants.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(invariantsApi.read, listInvariants),
);
