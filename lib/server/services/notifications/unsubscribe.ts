import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { notificationsApi } from "@/lib/contracts/notifications.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { callFacts, recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { readUnsubscribeToken } from "../../mail/unsubscribe-token.ts";
import { lockPerson } from "../auth/lock-person.ts";
import { TOGGLES } from "../../mail/wanted-mails.ts";

/**
 * Switches off what a mail's link names, without a sign-in. A second time changes nothing and answers the same, as does the link of a person
 * who was erased, of whom nothing is written anew.
 */
export async function unsubscribe(
  { actor, db, now, request }: Context,
  { token }: Received<typeof notificationsApi.unsubscribe>,
): Promise<Given<typeof notificationsApi.unsubscribe>> {
  const named = readUnsubscribeToken(token);
  const user = named && (await db.user.findUnique({ where: { id: named.userId }, select: { id: true } }));
  if (!named || !user)
    throw new Failure(
      "invalid_input",
      "This link is not valid. Switch these emails off under Settings, Notifications.",
    );
  const { kind, userId } = named;
  const toggles: readonly string[] = TOGGLES[kind];
  const off = Object.fromEntries(toggles.map((toggle) => [toggle, false]));
  await db.$transaction(async (tx) => {
    await lockPerson(tx, userId);
    const key = await tx.subjectKey.findUnique({ where: { userId }, select: { erasedAt: true } });
    if (key && key.erasedAt !== null) return;
    await tx.notificationPreferences.createMany({ data: [{ userId }], skipDuplicates: true });
    const changed = await tx.notificationPreferences.updateMany({
      where: { userId, OR: toggles.map((toggle) => ({ [toggle]: true })) },
      data: off,
    });
    if (changed.count === 0) return;
    await recordAudit(tx, {
      at: now(),
      eventType: "MAILS_SWITCHED_OFF",
      ...callFacts({ actor, request }),
      subjectUserId: userId,
      data: { kind, toggles: [...toggles], by: "link in a mail" },
    });
  });
  return { kind };
}
