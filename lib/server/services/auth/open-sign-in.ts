import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { noteSignIn } from "./note-sign-in.ts";
import { newClaims, SIGN_IN_MS, writeToken } from "../../secrets/token.ts";

/** Stores a new sign-in and makes its token. */
export async function openSignIn(
  tx: Tx,
  { ipAddress, userAgent }: Context["request"],
  { id: userId, tokenVersion }: { id: string; tokenVersion: number },
  at: Date,
  /** When who signs in was last confirmed, by a second factor where they have one. */
  confirmedAt: Date = at,
): Promise<{ signInId: string; token: string }> {
  const jti = randomUUID();
  await noteSignIn(tx, { ipAddress, userAgent }, userId, jti, at);
  const { id: signInId } = await tx.signIn.create({
    data: {
      userId,
      jti,
      ipAddress,
      userAgent,
      createdAt: at,
      lastSeenAt: at,
      confirmedAt,
      expiresAt: new Date(at.getTime() + SIGN_IN_MS),
    },
    select: { id: true },
  });
  return { signInId, token: writeToken(newClaims({ userId, jti, tokenVersion, at })) };
}
