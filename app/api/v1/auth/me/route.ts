import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { readMe } from "@/lib/server/services/auth/read-me.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(authApi.me, readMe));
