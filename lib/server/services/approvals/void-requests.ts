import type { Tx } from "../../db.ts";

/**
 * A request for a second administrator ends once the role or the access of whom it is about has really changed. Nothing that the person
 * does alone, such as a new password, ends it.
 */
export async function voidRequests(tx: Tx, userId: string): Promise<void> {
  await tx.pendingApproval.deleteMany({ where: { kind: "MAKE_ADMINISTRATOR", subject: userId } });
}
