import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { register } from "@/lib/server/services/auth/register.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(defineRoute(authApi.register, register));
