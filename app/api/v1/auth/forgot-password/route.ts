import { authApi } from "@/lib/contracts/auth.ts";
import { RESET_REQUESTED } from "@/lib/contracts/auth-calls.ts";
import { guardEnumeration } from "@/lib/server/http/enumeration-guard.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { alertEnumeration } from "@/lib/server/services/auth/alert-enumeration.ts";
import { requestPasswordReset } from "@/lib/server/services/auth/request-password-reset.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(
    authApi.forgotPassword,
    guardEnumeration<typeof authApi.forgotPassword>(requestPasswordReset, {
      calls: "reset",
      revealingCode: "not_found",
      subjectOf: ({ email }) => email,
      instead: async () => ({ message: RESET_REQUESTED }),
      tooMany: "Too many reset requests. Please try again later.",
      onFlood: alertEnumeration,
    }),
  ),
);
