import { authApi } from "@/lib/contracts/auth.ts";
import { deviceMarkHeader } from "@/lib/server/http/device-mark.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { completeSecondFactor, personBehindTicket } from "@/lib/server/services/auth/complete-second-factor.ts";
import { warnOfFailedChecks } from "@/lib/server/services/auth/warn-of-failed-checks.ts";
import { isGuess } from "@/lib/server/services/auth/wrong-factor.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.secondFactor, completeSecondFactor, {
    factorCheck: { personOf: personBehindTicket, isGuess, onUsedUp: warnOfFailedChecks },
    headers: ({ token, marked }, request) => ({
      "set-cookie": [sessionCookieHeader(token), deviceMarkHeader(marked, request)],
    }),
  }),
);
