import type { Given, Received } from "@/lib/contracts/endpoint.ts";
import type { queueApi } from "@/lib/contracts/queue.ts";
import { recordEvent } from "../../core/record-event.ts";
import { requireStepUp } from "../../core/require-step-up.ts";
import type { Context } from "../../context.ts";
import { inTransaction } from "../../core/transaction.ts";

/** Switches the queue; each worker acts on it within a second. Switching to what it is changes and audits nothing. */
export async function toggleQueue(
  context: Context,
  { active }: Received<typeof queueApi.toggle>,
): Promise<Given<typeof queueApi.toggle>> {
  const { log } = context;
  const isChanged = await inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
    const system = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
    if (system.isQueueActive === active) return false;
    if (active) requireStepUp(context);
    await tx.systemState.update({ where: { id: 1 }, data: { isQueueActive: active } });
    const message = active
      ? "An administrator made the job queue active again."
      : "An administrator made the job queue inactive: nothing new is decided; fills are followed and stops are kept.";
    await recordEvent(context, tx, {
      level: active ? "info" : "warn",
      message,
      userId: null,
      audit: { eventType: "QUEUE_SWITCHED", data: { active } },
    });
    return true;
  });
  if (isChanged) log.warn("queue.switched", { state: active ? "active" : "inactive" });
  return { active };
}
