import { authApi } from "@/lib/contracts/auth.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { inUniformTime } from "@/lib/server/http/uniform-time.ts";
import { resendVerification } from "@/lib/server/services/auth/resend-verification.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.resendVerification, inUniformTime<typeof authApi.resendVerification>(resendVerification)),
);
