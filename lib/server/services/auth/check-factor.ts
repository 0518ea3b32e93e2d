import type { Received } from "@/lib/contracts/endpoint.ts";
import type { authApi } from "@/lib/contracts/auth.ts";
import type { SecondFactorMethod } from "@/lib/contracts/second-factor.ts";
import type { Tx } from "../../db.ts";
import { readSignature } from "../../secrets/passkeys.ts";
import { recoveryCodeHash } from "../../secrets/recovery-code.ts";
import { openTotp } from "../../secrets/seal-totp.ts";
import { stepOfCode } from "../../secrets/totp.ts";

export type GivenFactor = Pick<Received<typeof authApi.secondFactor>, "code" | "recoveryCode" | "passkey">;

/**
 * Checks what a person gave as second factor and uses it up, by compare-and-set: a code, a recovery code and a passkey's
 * signature each hold once, in parallel too. Answers the way that was right, or null; "used_code" where the code is right, and it or a newer one
 * was used before. Saying so tells an attacker nothing: they have the code by then, and it opens nothing.
 */
export async function checkFactor(
  tx: Tx,
  userId: string,
  { code, recoveryCode, passkey }: GivenFactor,
  { challenge, at }: { challenge: string | null; at: Date },
): Promise<SecondFactorMethod | "used_code" | null> {
  if (code !== undefined) return useCode(tx, userId, code, at);
  if (recoveryCode !== undefined) return (await useRecoveryCode(tx, userId, recoveryCode, at)) ? "recovery_code" : null;
  if (passkey === undefined || challenge === null) return null;
  return (await usePasskey(tx, userId, passkey, { challenge, at })) ? "passkey" : null;
}

/** A code is refused from its time step on: neither it nor an older one is accepted again. */
async function useCode(tx: Tx, userId: string, code: string, at: Date): Promise<"code" | "used_code" | null> {
  const factor = await tx.totpFactor.findUnique({ where: { userId } });
  if (!factor || factor.confirmedAt === null) return null;
  const step = stepOfCode(openTotp(factor.sealedSecret, userId), code, at);
  if (step === null) return null;
  const { sealedSecret } = factor;
  const { count } = await tx.totpFactor.updateMany({
    where: { userId, sealedSecret, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1 ? "code" : "used_code";
}

async function useRecoveryCode(tx: Tx, userId: string, code: string, at: Date): Promise<boolean> {
  const { count } = await tx.recoveryCode.updateMany({
    where: { userId, codeHash: recoveryCodeHash(code, userId), usedAt: null },
    data: { usedAt: at },
  });
  return count === 1;
}

async function usePasskey(
  tx: Tx,
  userId: string,
  answer: NonNullable<GivenFactor["passkey"]>,
  { challenge, at }: { challenge: string; at: Date },
): Promise<boolean> {
  const passkey = await tx.passkey.findFirst({ where: { userId, credentialId: answer.id } });
  if (!passkey) return false;
  const counter = await readSignature(answer, challenge, passkey);
  if (counter === null) return false;
  const { id, counter: before } = passkey;
  const { count } = await tx.passkey.updateMany({ where: { id, counter: before }, data: { counter, lastUsedAt: at } });
  return count === 1;
}
