import type { Tx } from "../../db.ts";
import { dropBrowsers } from "../../core/drop-browsers.ts";
import { holding } from "./sign-ins.ts";

/** Ends every sign-in with its next request, the notifications in browsers, and reset links that are under way. Answers how many were open. */
export async function endSignIns(tx: Tx, userId: string, at: Date): Promise<number> {
  await tx.user.update({ where: { id: userId }, data: { tokenVersion: { increment: 1 } } });
  const open = await tx.signIn.count({ where: holding(userId, at) });
  // Those that ended for want of use, too: they do not hold again if that time is made longer.
  await tx.signIn.updateMany({ where: { userId, revokedAt: null, expiresAt: { gt: at } }, data: { revokedAt: at } });
  await tx.emailToken.updateMany({ where: { userId, kind: "RESET_PASSWORD", usedAt: null }, data: { usedAt: at } });
  await dropBrowsers(tx, { userId }, at);
  return open;
}
