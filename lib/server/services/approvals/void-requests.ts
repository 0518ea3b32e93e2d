import type { Tx } from "../../db.ts";

/**
 * Requests for a second administrator end once the role or the access of whom they are about, or of whom they are by, has really
 * changed, and once that person is erased: who is no administrator any longer has asked for nothing, however it may be shown. Nothing that the person does alone, such
 * as a new password, ends them.
 */
export async function voidRequests(tx: Tx, userId: string): Promise<void> {
  await tx.pendingApproval.deleteMany({
    where: { OR: [{ kind: "MAKE_ADMINISTRATOR", subject: userId }, { requestedById: userId }] },
  });
}
