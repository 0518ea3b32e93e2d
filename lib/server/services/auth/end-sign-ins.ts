import type { Tx } from "../../db.ts";
import { dropBrowsers } from "../../core/drop-browsers.ts";
import { holding } from "./sign-ins.ts";

/**
 * Ends every sign-in with its next request, the notifications in browsers, reset links that are under way, and a set-up of an authenticator
 * app that was only begun. Answers how many sign-ins were open.
 */
export async function endSignIns(tx: Tx, userId: string, at: Date): Promise<number> {
  await tx.user.update({ where: { id: userId }, data: { tokenVersion: { increment: 1 } } });
  const open = await tx.signIn.count({ where: holding(userId, at) });
  // Those that ended for want of use, too: they do not hold again if that time is made longer.
  await tx.signIn.updateMany({ where: { userId, revokedAt: null, expiresAt: { gt: at } }, data: { revokedAt: at } });
  await tx.emailToken.updateMany({ where: { userId, kind: "RESET_PASSWORD", usedAt: null }, data: { usedAt: at } });
  await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: null } });
  await dropBrowsers(tx, { userId }, at);
  return open;
}
