import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import { pauseOf } from "./read-pause.ts";

/** A person resumes automation: the next cycle decides as usual. Pauses and stops of single accounts stay. */
export async function resumeAutomation({
  actor,
  db,
  now,
  request,
}: Context<"user">): Promise<Given<typeof automationApi.resume>> {
  const { userId } = actor;
  const at = now();
  return db.$transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: userId, automationPausedAt: { not: null } },
      data: { automationPausedAt: null, pausedReason: null },
    });
    if (count > 0) {
      await recordEvent({ actor, now, request }, tx, {
        level: "info",
        message: "Automation is resumed.",
        userId,
        at,
        audit: { eventType: "AUTOMATION_RESUMED", data: {} },
      });
    }
    return pauseOf(tx, userId);
  });
}
