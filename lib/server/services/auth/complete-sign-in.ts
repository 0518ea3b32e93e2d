import type { SecondFactorMethod } from "@/lib/contracts/second-factor.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../db.ts";
import { markedBy, type Marked } from "../../secrets/device-mark.ts";
import { openSignIn } from "./open-sign-in.ts";
import { userView, type UserRow } from "./user-view.ts";

/**
 * Opens the sign-in of a person whose password, and second factor where there is one, were right, and audits it. The answer leaves
 * out what the mark of the device says.
 */
export async function completeSignIn(
  { request }: Pick<Context, "request">,
  tx: Tx,
  user: UserRow & { tokenVersion: number; passwordHash: string },
  { at, method }: { at: Date; method: SecondFactorMethod | "password" },
): Promise<{ user: ReturnType<typeof userView>; token: string; marked: Marked }> {
  const { signInId, token } = await openSignIn(tx, request, user, at);
  await recordAudit(tx, {
    at,
    eventType: "SIGNED_IN",
    ...callFacts({ actor: { kind: "user", userId: user.id, role: user.role, signInId }, request }),
    subjectUserId: user.id,
    data: { signInId, ...(method === "password" ? {} : { secondFactor: method }) },
  });
  return { user: userView(user), token, marked: markedBy(user) };
}
