import { addErasure, erasureListFile, readErasureList, startErasureList } from "../../audit/erasure-list.ts";
import type { Context } from "../../context.ts";

/**
 * Carries erasures into the list outside of the database: who goes back to a backup erases again whom it names
 * (replay-erasures.ts). Two workers may add the same one; the second line changes nothing.
 */
export async function keepErasures({ db }: Pick<Context, "db">): Promise<void> {
  const file = erasureListFile();
  if (file === null) return;
  await startErasureList(file);
  const { erasures } = await readErasureList(file);
  const known = new Set(erasures.map(({ userId }) => userId));
  const erased = await db.subjectKey.findMany({
    where: { erasedAt: { not: null } },
    orderBy: { erasedAt: "asc" },
    select: { userId: true, erasedAt: true },
  });
  for (const { userId, erasedAt } of erased)
    if (erasedAt !== null && !known.has(userId)) await addErasure(file, { userId, at: erasedAt });
}
