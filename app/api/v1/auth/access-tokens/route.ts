import { accessTokensApi } from "@/lib/contracts/access-tokens.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { listAccessTokens, makeAccessToken } from "@/lib/server/services/auth/access-tokens.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(accessTokensApi.list, listAccessTokens),
  defineRoute(accessTokensApi.make, makeAccessToken),
);
