import { authApi } from "@/lib/contracts/auth.ts";
import { deviceMarkHeader } from "@/lib/server/http/device-mark.ts";
import { defineMethods, defineRoute } from "@/lib/server/http/route.ts";
import { sessionCookieHeader } from "@/lib/server/http/session.ts";
import { CurrentPassword, resetPassword } from "@/lib/server/services/auth/reset-password.ts";

export const { GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS } = defineMethods(
  defineRoute(authApi.resetPassword, resetPassword, {
    // The user of the link reads the owner's mailbox: strangers' guesses do not keep this device from signing in. The mark is a
    // new one, so that the owner's own wrong passwords do not either.
    headers: ({ marked }) => ({ "set-cookie": [sessionCookieHeader(null), deviceMarkHeader(marked)] }),
    refusalHeaders: (failure): Record<string, string> =>
      failure instanceof CurrentPassword ? { "set-cookie": deviceMarkHeader(failure.marked) } : {},
  }),
);
