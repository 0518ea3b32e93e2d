import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { openTotp, sealTotp } from "../../secrets/seal-totp.ts";
import { newTotpSecret, stepOfCode, totpUri } from "../../secrets/totp.ts";
import { signInOf } from "../../core/sign-in-of.ts";
import { inTransaction } from "../../core/transaction.ts";
import { afterAdding, afterRemoving } from "./change-factors.ts";
import { sendNews } from "./person-event.ts";
import { lockSignedIn } from "./lock-person.ts";
import { wrongFactor } from "./wrong-factor.ts";

const APP = "An authenticator app";

/** A set-up that was begun so recently may still be open in another tab of the browser, or its entry be on the phone. */
const SAME_SECRET_MS = 10 * 60_000;

/**
 * A secret for an authenticator app, which counts from its first code on. One that was begun a moment ago and never proved itself is
 * given again to the sign-in that began it, so that its codes are not refused in another tab; an older one is replaced, and one of another
 * sign-in, by which a stranger would hold the owner's secret.
 */
export async function startTotp(context: Context<"user">): Promise<Given<typeof securityApi.startTotp>> {
  const { userId } = context.actor;
  const signInId = signInOf(context.actor);
  const at = context.now();
  const { secret, email } = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const known = await tx.totpFactor.findUnique({ where: { userId } });
    if (known && known.confirmedAt !== null)
      throw new Failure("conflict", "An authenticator app is set up already. Remove it first.");
    const isOwn = known?.signInId === signInId && at.getTime() - known.createdAt.getTime() < SAME_SECRET_MS;
    const begun = isOwn ? openBegun(known) : null;
    const secret = begun ?? newTotpSecret();
    const row = { sealedSecret: sealTotp(secret, userId), signInId, createdAt: at };
    if (begun === null) await tx.totpFactor.upsert({ where: { userId }, create: { userId, ...row }, update: row });
    return { secret, ...(await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { email: true } })) };
  });
  return { secret, uri: totpUri(secret, email) };
}

/** Null where it no longer opens, so that another one can be begun. */
function openBegun({ sealedSecret, userId }: { sealedSecret: string; userId: string }): string | null {
  try {
    return openTotp(sealedSecret, userId);
  } catch {
    return null;
  }
}

/** The first code proves that the app holds the secret. */
export async function confirmTotp(
  context: Context<"user">,
  { code }: Received<typeof securityApi.confirmTotp>,
): Promise<Given<typeof securityApi.confirmTotp>> {
  const { userId } = context.actor;
  const at = context.now();
  const recoveryCodes = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const factor = await tx.totpFactor.findUnique({ where: { userId } });
    if (!factor) throw new Failure("conflict", "There is no authenticator app to confirm. Begin to set one up first.");
    if (factor.confirmedAt !== null) throw new Failure("conflict", "The authenticator app is set up already.");
    const step = stepOfCode(openTotp(factor.sealedSecret, userId), code, at);
    if (step === null) throw wrongFactor({ code });
    await tx.totpFactor.update({ where: { userId }, data: { confirmedAt: at, lastStep: step, signInId: null } });
    return afterAdding(context, tx, { userId, what: APP, kind: "totp", at });
  });
  await sendNews(context);
  return { recoveryCodes };
}

export async function removeTotp(context: Context<"user">): Promise<Given<typeof securityApi.removeTotp>> {
  const { userId } = context.actor;
  const at = context.now();
  const wasInForce = await inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const known = await tx.totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } });
    if (!known) throw new Failure("conflict", "There is no authenticator app.");
    await tx.totpFactor.delete({ where: { userId } });
    // One that never proved itself was no second factor: nothing became weaker.
    if (known.confirmedAt === null) return false;
    await afterRemoving(context, tx, { userId, what: APP, kind: "totp", at });
    return true;
  });
  if (!wasInForce) return { message: "The set-up of the authenticator app is cancelled." };
  await sendNews(context);
  return { message: "The authenticator app is removed." };
}
