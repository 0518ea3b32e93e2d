import type { Tx } from "../../db.ts";

/** Abandons what waits for a target that is gone or switched off. */
export async function dropWaiting(tx: Tx, targetId: string, at: Date, why: string): Promise<void> {
  await tx.delivery.updateMany({
    where: { targetId, deliveredAt: null, failedAt: null },
    data: { failedAt: at, lastError: why },
  });
}
