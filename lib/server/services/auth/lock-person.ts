import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { signInOf } from "../../core/sign-in-of.ts";

/** Changes of one person's factors take turns: of two first factors at once, one brings the recovery codes. */
export async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for no key update`;
}

/**
 * The same for what outlives the sign-in by which it is changed, such as a second factor or an access token: where the sign-in has ended by
 * the time of the lock, or the person was erased, nothing is changed. Otherwise a call that waits while the password is changed would leave
 * its caller a way in, or take the owner's.
 */
export async function lockSignedIn({ actor, now }: Pick<Context<"user">, "actor" | "now">, tx: Tx): Promise<void> {
  const { userId } = actor;
  await lockPerson(tx, userId);
  const holds = { id: signInOf(actor), userId, revokedAt: null, expiresAt: { gt: now() }, user: { disabledAt: null } };
  if ((await tx.signIn.count({ where: holds })) === 0) throw new Failure("unauthenticated", "Please sign in.");
}
