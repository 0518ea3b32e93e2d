import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { SECURITY_BOUNDS, type securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Prisma } from "../../db.ts";
import { idleSince } from "../../idle.ts";
import { dropBrowsers } from "../../core/drop-browsers.ts";
import { signInOf } from "../../core/sign-in-of.ts";
import { inTransaction } from "../../core/transaction.ts";
import { deviceOf } from "./device-of.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";

/** Sign-ins that hold: not ended, not over, and used lately. */
export const holding = (userId: string, at: Date) =>
  ({
    userId,
    revokedAt: null,
    expiresAt: { gt: at },
    lastSeenAt: { gt: idleSince(at) },
  }) satisfies Prisma.SignInWhereInput;

export async function listSignIns({ actor, db, now }: Context<"user">): Promise<Given<typeof securityApi.signIns>> {
  const select = { id: true, ipAddress: true, userAgent: true, createdAt: true, lastSeenAt: true, expiresAt: true };
  const found = await db.signIn.findMany({
    where: holding(actor.userId, now()),
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: SECURITY_BOUNDS.signIns,
    select,
  });
  // This one may lie behind a hundred others.
  const own = await db.signIn.findUniqueOrThrow({ where: { id: signInOf(actor) }, select });
  return [own, ...found.filter(({ id }) => id !== actor.signInId)].map(({ userAgent, ...signIn }) => ({
    ...signIn,
    device: deviceOf(userAgent),
    isThisOne: signIn.id === actor.signInId,
  }));
}

/** Ends one of the caller's sign-ins; it may be this one. One that has ended already stays so. */
export async function endSignIn(
  context: Context<"user">,
  { id }: Received<typeof securityApi.endSignIn>,
): Promise<Given<typeof securityApi.endSignIn>> {
  const { userId } = context.actor;
  const known = await context.db.signIn.findFirst({ where: { id, userId }, select: { id: true } });
  if (!known) throw new Failure("not_found", "Sign-in not found.");
  return end(context, { id }, { signInId: id });
}

export function endOtherSignIns(context: Context<"user">): Promise<Given<typeof securityApi.endOtherSignIns>> {
  const own = signInOf(context.actor);
  // A browser whose sign-in has run out, or is not known, is another one as well.
  return end(context, { id: { not: own } }, { OR: [{ signInId: null }, { signInId: { not: own } }] });
}

async function end(
  context: Context<"user">,
  which: Prisma.SignInWhereInput,
  browsers: Prisma.PushSubscriptionWhereInput,
): Promise<{ ended: number }> {
  const { userId } = context.actor;
  const at = context.now();
  const ended = await inTransaction(context, async (tx) => {
    const { count } = await tx.signIn.updateMany({
      where: { ...holding(userId, at), ...which },
      data: { revokedAt: at },
    });
    // Before the news, which would be shown there.
    await dropBrowsers(tx, { userId, ...browsers }, at);
    if (count > 0)
      await recordPersonEvent(context, tx, {
        userId,
        eventType: "OWN_SIGN_INS_ENDED",
        data: { ended: count },
        at,
        news: {
          key: `sign-ins-ended:${at.toISOString()}`,
          subject: count === 1 ? "One of your sign-ins was ended" : `${count} of your sign-ins were ended`,
          text: "They were ended from the list of your sign-ins.",
        },
      });
    return count;
  });
  if (ended > 0) await sendNews(context);
  return { ended };
}
