import { authApi, RESET_REQUESTED } from "@/lib/contracts/auth.ts";
import { rationNotFound } from "@/lib/server/http/ration-not-found.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { requestPasswordReset } from "@/lib/server/services/auth/request-password-reset.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(
    authApi.forgotPassword,
    rationNotFound<typeof authApi.forgotPassword>(requestPasswordReset, {
      subjectOf: ({ email }) => email,
      neutral: { message: RESET_REQUESTED },
    }),
  ),
);
