import { securityApi } from "@/lib/contracts/security.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { confirmIdentity, personConfirming } from "@/lib/server/services/auth/confirm-identity.ts";
import { warnOfFailedChecks } from "@/lib/server/services/auth/warn-of-failed-checks.ts";
import { isGuess } from "@/lib/server/services/auth/wrong-factor.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(securityApi.stepUp, confirmIdentity, {
    factorCheck: { personOf: personConfirming, isGuess, onUsedUp: warnOfFailedChecks },
  }),
);
