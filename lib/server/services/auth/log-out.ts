import type { authApi } from "@/lib/contracts/auth.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { dropBrowsers } from "../../core/drop-browsers.ts";
import { signInOf } from "../../core/sign-in-of.ts";

/** Ends this sign-in: its token is refused from the next request on. Others of the same person stay open. */
export async function logOut({ actor, db, now, request }: Context<"user">): Promise<Given<typeof authApi.logout>> {
  const at = now();
  const signInId = signInOf(actor);
  await db.$transaction(async (tx) => {
    await tx.signIn.update({ where: { id: signInId }, data: { revokedAt: at } });
    await dropBrowsers(tx, { userId: actor.userId, signInId }, at);
    await recordAudit(tx, {
      at,
      eventType: "SIGNED_OUT",
      ...callFacts({ actor, request }),
      subjectUserId: actor.userId,
      data: { signInId },
    });
  });
  return { message: "You are signed out." };
}
