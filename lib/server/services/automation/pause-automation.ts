import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { pauseOf } from "./read-pause.ts";
import { reasonGiven } from "../../core/account-for-operator.ts";

/**
 * A person stops automation in all accounts. Orders share the person's row while they are marked for sending, so the
 * next one meets the pause; what still works of the purchases is cancelled (watch-kill-states.ts). Exits and stops keep working.
 */
export async function pauseAutomation(
  { actor, db, now, request }: Context<"user">,
  { reason }: Received<typeof automationApi.pause>,
): Promise<Given<typeof automationApi.pause>> {
  const { userId } = actor;
  const at = now();
  const why = reasonGiven(reason);
  return db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, automationPausedAt: null },
      data: { automationPausedAt: at, pausedReason: why },
    });
    if (count > 0) {
      const message = `You paused automation: nothing is bought, exits and stops keep working.${why === null ? "" : ` Reason: ${why}`}`;
      await recordEvent({ actor, now, request }, tx, {
        level: "warn",
        message,
        userId,
        at,
        audit: { eventType: "AUTOMATION_PAUSED", data: {}, personal: { reason: why } },
      });
    }
    return pauseOf(tx, userId);
  });
}
