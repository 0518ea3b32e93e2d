import type { channelsApi } from "@/lib/contracts/channels.ts";
import { CHANNEL_BOUNDS } from "@/lib/contracts/channels.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { Context } from "../../context.ts";
import { arePushKeys, pushPublicKey } from "../../outgoing/push-keys.ts";
import { targetProblem } from "../../outgoing/target.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import { signInOf } from "../../core/sign-in-of.ts";
import { inTransaction } from "../../core/transaction.ts";
import { deviceOf } from "../auth/device-of.ts";
import { lockSignedIn } from "../auth/lock-person.ts";
import { recordPersonEvent } from "../auth/person-event.ts";
import { dropWaiting } from "./drop-waiting.ts";

const NOT_OURS = "This browser's subscription cannot be used.";

export async function readPush({ actor, db }: Context<"user">): Promise<Given<typeof channelsApi.readPush>> {
  const subscriptions = await db.pushSubscription.findMany({
    where: { userId: actor.userId },
    orderBy: { createdAt: "asc" },
    select: { id: true, endpoint: true, label: true, createdAt: true, lastUsedAt: true, signInId: true },
  });
  return {
    publicKey: pushPublicKey(),
    subscriptions: subscriptions.map(({ signInId, ...shown }) => ({
      ...shown,
      isOfThisSignIn: signInId !== null && signInId === actor.signInId,
    })),
  };
}

/** The same browser again is the same subscription, of the sign-in that it has now; one that someone else used before is this person's from now on. */
export async function subscribePush(
  context: Context<"user">,
  { endpoint: given, keys }: Received<typeof channelsApi.subscribePush>,
): Promise<Given<typeof channelsApi.subscribePush>> {
  const { userId } = context.actor;
  const signInId = signInOf(context.actor);
  if (pushPublicKey() === null) throw new Failure("conflict", "This installation sends no browser notifications.");
  if (targetProblem(given) !== null || !arePushKeys(keys)) throw new Failure("invalid_input", NOT_OURS);
  // One address is one subscription, however it is written.
  const { href: endpoint } = new URL(given);
  const label = deviceOf(context.request.userAgent) ?? "A browser";
  return inTransaction(context, async (tx) => {
    await lockSignedIn(context, tx);
    const at = context.now();
    const known = await tx.pushSubscription.findUnique({ where: { endpoint } });
    // Its keys are known to the browser that made them: who gives others is not in it.
    // Another person's browser is a new one, too: more than this person saw before is shown somewhere.
    if (known?.userId !== userId) requireStepUp(context);
    if (known && (known.p256dh !== keys.p256dh || known.auth !== keys.auth)) throw new Failure("conflict", NOT_OURS);
    if (known?.userId === userId) {
      if (known.signInId !== signInId)
        await tx.pushSubscription.update({ where: { id: known.id }, data: { signInId } });
      return { id: known.id };
    }
    if (known) {
      await tx.pushSubscription.delete({ where: { id: known.id } });
      await dropWaiting(tx, known.id, at, "the browser was taken over by another person");
    }
    if ((await tx.pushSubscription.count({ where: { userId } })) >= CHANNEL_BOUNDS.pushSubscriptions)
      throw new Failure(
        "conflict",
        `Notifications are on in ${CHANNEL_BOUNDS.pushSubscriptions} browsers, which is the maximum. Switch one off first.`,
      );
    const { id } = await tx.pushSubscription.create({
      data: { userId, signInId, endpoint, ...keys, label, createdAt: at },
    });
    await recordPersonEvent(context, tx, {
      userId,
      at,
      eventType: "PUSH_SUBSCRIBED",
      personal: { label },
      news: {
        key: `push:${id}`,
        subject: "Notifications were switched on in a browser",
        text: `${label} now shows your notifications.`,
      },
    });
    return { id };
  });
}

export async function unsubscribePush(
  context: Context<"user">,
  { id }: Received<typeof channelsApi.unsubscribePush>,
): Promise<Given<typeof channelsApi.unsubscribePush>> {
  const { userId } = context.actor;
  return inTransaction(context, async (tx) => {
    const known = await tx.pushSubscription.findUnique({ where: { id, userId } });
    if (!known) throw new Failure("not_found", "Browser subscription not found.");
    await tx.pushSubscription.deleteMany({ where: { id, userId } });
    const at = context.now();
    await dropWaiting(tx, id, at, "notifications were switched off in this browser");
    await recordPersonEvent(context, tx, {
      userId,
      at,
      eventType: "PUSH_UNSUBSCRIBED",
      personal: { label: known.label },
    });
    return { id };
  });
}
