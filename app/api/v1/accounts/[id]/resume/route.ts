import { accountsApi } from "@/lib/contracts/accounts.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { resumeOwnAccount } from "@/lib/server/services/accounts/resume-own-account.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accountsApi.resume, resumeOwnAccount),
);
