import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { SecondFactorMethod } from "@/lib/contracts/second-factor.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import type { Marked } from "../../secrets/device-mark.ts";
import { inTransaction } from "../../core/transaction.ts";
import { ANSWERS_MOST, endChallenge, giveAnswerBack, openChallenge, takeAnswer, type Challenge } from "./challenge.ts";
import { checkFactor } from "./check-factor.ts";
import { completeSignIn } from "./complete-sign-in.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";
import { UsedCode, wrongFactor } from "./wrong-factor.ts";

type Input = Received<typeof authApi.secondFactor>;

/**
 * The second step of a sign-in: the ticket says whose password was right, the factor says that it is them. Both hold once.
 * Five wrong answers end the ticket, and its owner is notified that their password is known.
 */
export async function completeSecondFactor(
  context: Context,
  { ticket, ...given }: Input,
): Promise<Given<typeof authApi.secondFactor> & { marked: Marked }> {
  const at = context.now();
  const asked = await takeAnswer(context.db, ticket, "SIGN_IN", at);
  if (!asked) throw expired();
  const { user } = asked;
  const signedIn = await inTransaction(context, async (tx) => {
    const method = await checkFactor(tx, user.id, given, { challenge: asked.challenge, at });
    if (method === null || method === "used_code") return method;
    await endChallenge(tx, asked.id, at);
    await noteRecoveryCode(context, tx, { userId: user.id, method, at });
    return completeSignIn(context, tx, user, { at, method });
  });
  if (signedIn === "used_code") return refuseUsedCode(context, asked);
  if (signedIn === null) return refuse(context, asked, given);
  await sendNews(context);
  return signedIn;
}

/** Tells the owner that one of the ways back is used up. */
export async function noteRecoveryCode(
  context: Pick<Context, "actor" | "request">,
  tx: Tx,
  { userId, method, at }: { userId: string; method: SecondFactorMethod | "password"; at: Date },
): Promise<void> {
  if (method !== "recovery_code") return;
  const left = await tx.recoveryCode.count({ where: { userId, usedAt: null } });
  await recordPersonEvent(context, tx, {
    userId,
    eventType: "RECOVERY_CODE_USED",
    data: { left },
    at,
    news: {
      key: `recovery-code:${at.toISOString()}`,
      subject: "A recovery code was used",
      text: `One of your recovery codes was used in place of your second factor; ${left} ${left === 1 ? "is" : "are"} left.`,
    },
  });
}

async function refuse(
  context: Context,
  { id, user, failures }: Challenge,
  given: Omit<Input, "ticket">,
): Promise<never> {
  const at = context.now();
  const isOver = failures >= ANSWERS_MOST;
  await inTransaction(context, (tx) =>
    recordPersonEvent(context, tx, {
      userId: user.id,
      eventType: "SECOND_FACTOR_FAILED",
      data: { isTicketOver: isOver, isUsedCode: false },
      at,
      ...(isOver
        ? {
            news: {
              key: `second-factor-failed:${id}`,
              subject: "A sign-in with your password failed at the second factor",
              text: "The password was correct, but the second factor was wrong five times, so the sign-in was refused. Another person may know your password.",
            },
          }
        : {}),
    }),
  );
  if (!isOver) throw wrongFactor(given);
  await sendNews(context);
  throw new Failure("unauthenticated", "Too many wrong codes were entered. Please sign in again.");
}

async function refuseUsedCode(context: Context, { id, user }: Challenge): Promise<never> {
  await inTransaction(context, async (tx) => {
    await giveAnswerBack(tx, id);
    await recordPersonEvent(context, tx, {
      userId: user.id,
      eventType: "SECOND_FACTOR_FAILED",
      data: { isTicketOver: false, isUsedCode: true },
      at: context.now(),
    });
  });
  throw new UsedCode();
}

/** Whose code a call guesses; null where nothing can be guessed. For the limit on failed codes. */
export async function personBehindTicket(
  { db, now }: Pick<Context, "db" | "now">,
  { ticket, code }: Input,
): Promise<string | null> {
  if (code === undefined) return null;
  return (await openChallenge(db, ticket, "SIGN_IN", now()))?.userId ?? null;
}

export const expired = () => new Failure("unauthenticated", "This sign-in has expired. Please sign in again.");
