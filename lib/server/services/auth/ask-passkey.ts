import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { passkeyOptions } from "../../secrets/passkeys.ts";
import { openChallenge } from "./challenge.ts";
import { expired } from "./complete-second-factor.ts";
import { readFactors } from "./second-factors.ts";

/** What a passkey has to sign to complete a sign-in. A new question takes the place of the one before. */
export async function askPasskey(
  { db, now }: Context,
  { ticket }: Received<typeof authApi.secondFactorOptions>,
): Promise<Given<typeof authApi.secondFactorOptions>> {
  const asked = await openChallenge(db, ticket, "SIGN_IN", now());
  if (!asked) throw expired();
  const { passkeys } = await readFactors(db, asked.userId);
  if (passkeys.length === 0)
    throw new Failure("conflict", "You have no passkey. Use a code from your authenticator app.");
  const options = await passkeyOptions(passkeys);
  const { count } = await db.authChallenge.updateMany({
    where: { id: asked.id, usedAt: null },
    data: { challenge: options.challenge },
  });
  if (count === 0) throw expired();
  return { options };
}
