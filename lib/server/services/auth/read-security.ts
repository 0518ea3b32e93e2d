import type { Given } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import { STEP_UP_MS } from "@/lib/domain/step-up.ts";
import type { Context } from "../../context.ts";
import { arePasskeysPossible } from "../../secrets/passkeys.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { signInOf } from "../../core/sign-in-of.ts";
import { passkeyView } from "./passkey-view.ts";
import { readFactors, stepUpMethodsOf } from "./second-factors.ts";

/** What protects the caller's account beside the password. */
export async function readSecurity(context: Context<"user">): Promise<Given<typeof securityApi.read>> {
  const { actor, db } = context;
  const [factors, user, signIn, policy] = await Promise.all([
    readFactors(db, actor.userId),
    // Not the actor's role: a missing factor takes an administrator's powers for the call.
    db.user.findUniqueOrThrow({ where: { id: actor.userId }, select: { role: true } }),
    db.signIn.findUniqueOrThrow({ where: { id: signInOf(actor) }, select: { confirmedAt: true } }),
    activePolicy(context),
  ]);
  const { totpSince, passkeys, recoveryCodesLeft } = factors;
  return {
    totp: totpSince && { confirmedAt: totpSince },
    passkeys: passkeys.map(passkeyView),
    recoveryCodesLeft,
    isRequired: user.role === "ADMIN" && policy.orders_execution.require_admin_second_factor === 1,
    arePasskeysPossible: arePasskeysPossible(),
    stepUpMethods: stepUpMethodsOf(factors),
    confirmedUntil: new Date(signIn.confirmedAt.getTime() + STEP_UP_MS),
  };
}
