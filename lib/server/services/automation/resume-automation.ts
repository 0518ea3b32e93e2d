import type { automationApi } from "@/lib/contracts/automation.ts";
import type { Given } from "@/lib/contracts/endpoint.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import { noteEvents } from "../../core/note-event.ts";
import { pauseOf } from "./read-pause.ts";

/** A person lets automation go on: the next cycle decides as usual. Pauses and stops of single accounts stay. */
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
      await noteEvents(tx, [{ level: "info", message: "Automation goes on.", userId, marketAt: null }]);
      await recordAudit(tx, {
        at,
        eventType: "AUTOMATION_RESUMED",
        actor,
        subjectUserId: userId,
        ipAddress: request.ipAddress,
        requestId: request.id,
        data: {},
      });
    }
    return pauseOf(tx, userId);
  });
}
