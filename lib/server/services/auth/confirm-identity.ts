import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { STEP_UP_MS } from "@/lib/domain/step-up.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { isPassword } from "../../secrets/password.ts";
import { signInOf } from "../../core/sign-in-of.ts";
import { inTransaction } from "../../core/transaction.ts";
import { endChallenge, takeAnswer } from "./challenge.ts";
import { checkFactor } from "./check-factor.ts";
import { noteRecoveryCode } from "./complete-second-factor.ts";
import { recordPersonEvent, sendNews } from "./person-event.ts";
import { lockPerson } from "./lock-person.ts";
import { hasSecondFactor } from "./second-factors.ts";
import { spendPasswordCheck } from "./spend-password-check.ts";
import { refusal, UsedCode, wrongFactor } from "./wrong-factor.ts";

type Input = Received<typeof securityApi.stepUp>;

/**
 * The caller confirms that it is them, for five minutes of this sign-in. Where a second factor is set up the password does
 * not count: a stolen token and a guessed password are not enough.
 */
export async function confirmIdentity(
  context: Context<"user">,
  input: Input,
): Promise<Given<typeof securityApi.stepUp>> {
  const at = context.now();
  const { password, ...factor } = input;
  const outcome =
    password === undefined
      ? await confirmByFactor(context, factor, at)
      : (await confirmByPassword(context, password, at))
        ? "confirmed"
        : "wrong";
  if (outcome !== "confirmed") {
    await inTransaction(context, (tx) =>
      recordPersonEvent(context, tx, {
        userId: context.actor.userId,
        eventType: "STEP_UP_FAILED",
        data: { signInId: signInOf(context.actor), isUsedCode: outcome === "used_code" },
        at,
      }),
    );
    if (outcome === "used_code") throw new UsedCode();
    if (password !== undefined) throw refusal("password", "Your password is not correct.");
    throw wrongFactor({ code: factor.code, recoveryCode: factor.recoveryCode, passkey: undefined });
  }
  await sendNews(context);
  return { confirmedUntil: new Date(at.getTime() + STEP_UP_MS) };
}

async function confirmByPassword(context: Context<"user">, password: string, at: Date): Promise<boolean> {
  const { userId } = context.actor;
  if (await hasSecondFactor(context.db, userId))
    throw refusal("password", "Confirm with your second factor: the password alone is not enough.");
  const { passwordHash } = await context.db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true },
  });
  const check = await spendPasswordCheck(context, userId);
  if (!(await check.run(() => isPassword(password, passwordHash, check)))) return false;
  return inTransaction(context, async (tx) => {
    // A factor that was added meanwhile counts: the person's row orders both.
    await lockPerson(tx, userId);
    if (await hasSecondFactor(tx, userId)) return false;
    await confirm(context, tx, "password", at);
    return true;
  });
}

async function confirmByFactor(
  context: Context<"user">,
  { code, recoveryCode, passkey }: Omit<Input, "password">,
  at: Date,
): Promise<"confirmed" | "used_code" | "wrong"> {
  const { userId } = context.actor;
  const asked = passkey ? await takeAnswer(context.db, passkey.ticket, "STEP_UP", at) : null;
  // The challenge of another person answers nothing here.
  if (passkey && asked?.userId !== userId) return "wrong";
  const given = { code, recoveryCode, passkey: passkey?.answer };
  return inTransaction(context, async (tx) => {
    const method = await checkFactor(tx, userId, given, { challenge: asked?.challenge ?? null, at });
    if (method === null) return "wrong";
    if (method === "used_code") return method;
    if (asked) await endChallenge(tx, asked.id, at);
    await noteRecoveryCode(context, tx, { userId, method, at });
    await confirm(context, tx, method, at);
    return "confirmed";
  });
}

async function confirm(context: Context<"user">, tx: Tx, method: string, at: Date): Promise<void> {
  const { userId } = context.actor;
  const id = signInOf(context.actor);
  const { count } = await tx.signIn.updateMany({ where: { id, userId, revokedAt: null }, data: { confirmedAt: at } });
  if (count === 0) throw new Failure("unauthenticated", "Please sign in.");
  await recordPersonEvent(context, tx, { userId, eventType: "IDENTITY_CONFIRMED", data: { signInId: id, method }, at });
}

/** Whose code a call guesses; null where none is given. For the limit on failed codes. */
export async function personConfirming({ actor }: Context<"user">, { code }: Input): Promise<string | null> {
  return code === undefined ? null : actor.userId;
}
