import type { Tx } from "@/lib/server/db.ts";

/** Changes of one person's factors take turns: of two first factors at once, one brings the recovery codes. */
export async function lockPerson(tx: Tx, userId: string): Promise<void> {
  await tx.$queryRaw`select 1 from "User" where "id" = ${userId}::uuid for no key update`;
}
