import type { Context } from "../../context.ts";

/** False while an administrator holds the queue: the schedule wakes nothing, and workers start no job. */
export async function isQueueActive({ db }: Pick<Context, "db">): Promise<boolean> {
  const { isQueueActive: isActive } = await db.systemState.findUniqueOrThrow({
    where: { id: 1 },
    select: { isQueueActive: true },
  });
  return isActive;
}
