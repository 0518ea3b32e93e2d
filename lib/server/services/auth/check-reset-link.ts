import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { Context } from "../../context.ts";
import { tokenHash } from "../../secrets/email-token.ts";

/** Whether a reset link still opens. It is answered to the holder of the link; any other caller would have to guess 256 bits. */
export async function checkResetLink(
  { db, now }: Context,
  { token }: Received<typeof authApi.checkResetLink>,
): Promise<Given<typeof authApi.checkResetLink>> {
  const link = { tokenHash: tokenHash(token), kind: "RESET_PASSWORD" as const };
  const open = { ...link, usedAt: null, expiresAt: { gt: now() }, user: { disabledAt: null } };
  return { isOpen: (await db.emailToken.count({ where: open })) > 0 };
}
