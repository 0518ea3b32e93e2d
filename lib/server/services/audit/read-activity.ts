import { withPersonal } from "../../audit/personal.ts";
import type { Tx } from "../../db.ts";

export type ActivityRow = Awaited<ReturnType<typeof readTrail>>[number];

/** What is proven about a person, oldest first, with its personal parts opened: for that person, and for actors that may see them. */
export async function readActivity(db: Tx, { userId, after, take }: { userId: string; after: bigint; take: number }) {
  const rows = await readTrail(db, {
    where: { subjectUserId: userId, seq: { gt: after } },
    orderBy: { seq: "asc" },
    take,
  });
  return rows.map((row) => asSeenBy(userId, row));
}

/** A part of the trail with its personal parts opened, for actors that may see all of it. */
export async function readTrail(
  db: Tx,
  part: Pick<NonNullable<Parameters<Tx["auditEvent"]["findMany"]>[0]>, "where" | "orderBy" | "take">,
) {
  return withPersonal(db, await db.auditEvent.findMany({ ...part, omit: { prevHash: true, hash: true } }));
}

/** The subject of an event does not see the address from which an administrator acted. */
export function asSeenBy(userId: string, row: ActivityRow): ActivityRow {
  if (row.actorUserId === null || row.actorUserId === userId) return row;
  const { ipAddress: _, ...personal } = row.personal ?? {};
  return { ...row, ipAddress: null, personal: row.personal && personal };
}
