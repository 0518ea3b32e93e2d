import { authApi } from "@/lib/contracts/auth.ts";
import { guardEnumeration } from "@/lib/server/http/enumeration-guard.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { alertEnumeration } from "@/lib/server/services/auth/alert-enumeration.ts";
import { hideExistingAccount } from "@/lib/server/services/auth/hide-existing-account.ts";
import { noteRefusedRegistration, register } from "@/lib/server/services/auth/register.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(
    authApi.register,
    guardEnumeration<typeof authApi.register>(register, {
      calls: "registration",
      revealingCode: "conflict",
      subjectOf: ({ email }) => email,
      instead: hideExistingAccount,
      tooMany: "Too many registrations. Please try again later.",
      onSubjectFull: noteRefusedRegistration,
      onFlood: alertEnumeration,
    }),
  ),
);
