import type { SecondFactorMethod, StepUpMethod } from "@/lib/contracts/second-factor.ts";
import type { Tx } from "../../db.ts";

export interface Factors {
  /** When the authenticator app proved itself; null where there is none. */
  totpSince: Date | null;
  passkeys: Awaited<ReturnType<Tx["passkey"]["findMany"]>>;
  recoveryCodesLeft: number;
}

/** What a person has set up. An authenticator app counts from its first code on. */
export async function readFactors(tx: Tx, userId: string): Promise<Factors> {
  const [totp, passkeys, recoveryCodesLeft] = await Promise.all([
    tx.totpFactor.findUnique({ where: { userId }, select: { confirmedAt: true } }),
    tx.passkey.findMany({ where: { userId }, orderBy: { id: "asc" } }),
    tx.recoveryCode.count({ where: { userId, usedAt: null } }),
  ]);
  return { totpSince: totp?.confirmedAt ?? null, passkeys, recoveryCodesLeft };
}

/** The ways to prove the second factor, the usual one first; empty where none is set up. */
export function methodsOf({ totpSince, passkeys, recoveryCodesLeft }: Factors): SecondFactorMethod[] {
  const factors: SecondFactorMethod[] = [
    ...(passkeys.length > 0 ? (["passkey"] as const) : []),
    ...(totpSince === null ? [] : (["code"] as const)),
  ];
  return factors.length > 0 && recoveryCodesLeft > 0 ? [...factors, "recovery_code"] : factors;
}

/** The password alone confirms nothing where a second factor is set up: a stolen token and a guessed password are not enough. */
export function stepUpMethodsOf(factors: Factors): StepUpMethod[] {
  const methods = methodsOf(factors);
  return methods.length > 0 ? methods : ["password"];
}

export async function hasSecondFactor(tx: Tx, userId: string): Promise<boolean> {
  return methodsOf(await readFactors(tx, userId)).length > 0;
}
