import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { recordPersonEvent } from "./person-event.ts";
import { replaceRecoveryCodes } from "./recovery-codes.ts";
import { readFactors } from "./second-factors.ts";

interface Change {
  userId: string;
  /** "Authenticator app", "Passkey “Phone”" */
  what: string;
  kind: "totp" | "passkey";
  at: Date;
}

/**
 * Tells of a factor that was just stored. Answers recovery codes with a person's first factor, else null. Callers hold the
 * person's lock.
 */
export async function afterAdding(context: Context<"user">, tx: Tx, change: Change): Promise<string[] | null> {
  const { userId, what, kind, at } = change;
  const { totpSince, passkeys } = await readFactors(tx, userId);
  const isFirst = passkeys.length + (totpSince === null ? 0 : 1) === 1;
  const codes = isFirst ? await replaceRecoveryCodes(tx, userId, at) : null;
  await recordPersonEvent(context, tx, {
    userId,
    eventType: "SECOND_FACTOR_ADDED",
    data: { kind, isFirst },
    at,
    news: {
      key: `factor-added:${kind}:${at.toISOString()}`,
      subject: "A second factor was added",
      text: `${what} was added to your account. Signing in asks for a second factor from now on.`,
    },
  });
  return codes;
}

/** Tells of a factor that was just removed. With the last one the recovery codes go. Callers hold the person's lock. */
export async function afterRemoving(
  context: Pick<Context, "actor" | "request">,
  tx: Tx,
  { userId, what, kind, at }: Change,
): Promise<{ isLast: boolean }> {
  const { totpSince, passkeys } = await readFactors(tx, userId);
  const isLast = totpSince === null && passkeys.length === 0;
  if (isLast) await tx.recoveryCode.deleteMany({ where: { userId } });
  await recordPersonEvent(context, tx, {
    userId,
    eventType: "SECOND_FACTOR_REMOVED",
    data: { kind, isLast },
    at,
    news: {
      key: `factor-removed:${kind}:${at.toISOString()}`,
      subject: "A second factor was removed",
      text: `${what} was removed from your account.${isLast ? " Signing in asks for the password alone." : ""}`,
    },
  });
  return { isLast };
}
