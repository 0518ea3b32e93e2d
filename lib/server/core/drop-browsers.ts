import type { Prisma, Tx } from "../db.ts";

/**
 * Ends browsers' notifications with the sign-ins in which they were switched on: a device that was signed out from elsewhere shows no
 * more of them. What waits for them is abandoned.
 */
export async function dropBrowsers(tx: Tx, where: Prisma.PushSubscriptionWhereInput, at: Date): Promise<void> {
  const gone = await tx.pushSubscription.findMany({ where, select: { id: true } });
  if (gone.length === 0) return;
  const ids = { in: gone.map(({ id }) => id) };
  await tx.pushSubscription.deleteMany({ where: { id: ids } });
  await tx.delivery.updateMany({
    where: { targetId: ids, deliveredAt: null, failedAt: null },
    data: { failedAt: at, lastError: "the sign-in of this browser was ended" },
  });
}
