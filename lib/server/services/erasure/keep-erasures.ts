import {
  addErasure,
  addRemoval,
  erasureListFile,
  readErasureList,
  startErasureList,
} from "../../audit/erasure-list.ts";
import type { Context } from "../../context.ts";

/**
 * Carries erasures and removed accounts into the list outside of the database: who goes back to a backup erases and removes again what it names
 * (replay-erasures.ts, replay-removals.ts). Two workers may add the same one; the second line changes nothing.
 */
export async function keepErasures({ db }: Pick<Context, "db">): Promise<void> {
  const file = erasureListFile();
  if (file === null) return;
  await startErasureList(file);
  const { erasures, removals } = await readErasureList(file);
  const erased = await db.subjectKey.findMany({
    where: { erasedAt: { not: null } },
    orderBy: { erasedAt: "asc" },
    select: { userId: true, erasedAt: true },
  });
  const users = new Set(erasures.map(({ userId }) => userId));
  for (const { userId, erasedAt: at } of erased)
    if (at !== null && !users.has(userId)) await addErasure(file, { userId, at });
  const removed = await db.account.findMany({
    where: { deletedAt: { not: null } },
    orderBy: { deletedAt: "asc" },
    select: { id: true, deletedAt: true },
  });
  const accounts = new Set(removals.map(({ accountId }) => accountId));
  for (const { id: accountId, deletedAt: at } of removed)
    if (at !== null && !accounts.has(accountId)) await addRemoval(file, { accountId, at });
}
