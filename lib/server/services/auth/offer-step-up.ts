import type { Given } from "@/lib/contracts/endpoint.ts";
import type { securityApi } from "@/lib/contracts/security.ts";
import type { Context } from "../../context.ts";
import { passkeyOptions } from "../../secrets/passkeys.ts";
import { askChallenge } from "./challenge.ts";
import { readFactors, stepUpMethodsOf } from "./second-factors.ts";

/** The ways in which the caller can confirm that it is them; with a passkey, what it has to sign. */
export async function offerStepUp({
  actor,
  db,
  now,
}: Context<"user">): Promise<Given<typeof securityApi.stepUpOptions>> {
  const { userId } = actor;
  const factors = await readFactors(db, userId);
  const methods = stepUpMethodsOf(factors);
  if (factors.passkeys.length === 0) return { methods, passkey: null };
  const { tokenVersion } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { tokenVersion: true } });
  const options = await passkeyOptions(factors.passkeys);
  const question = { userId, tokenVersion, kind: "STEP_UP", challenge: options.challenge } as const;
  const asked = await db.$transaction((tx) => askChallenge(tx, question, now()));
  return { methods, passkey: { ...asked, options } };
}
