import { ACCESS_TEXT } from "@/lib/domain/account-access.ts";
import { recordEvent } from "../../core/record-event.ts";
import type { Context } from "../../context.ts";
import type { Prisma, Tx } from "../../db.ts";

/** Erases the keys that deleted accounts had kept, for a reason that their owner reads. Answers how many it were. */
export async function eraseKeptKeys(
  { actor, now, request }: Context,
  tx: Tx,
  which: Prisma.AccountWhereInput,
  reason: string,
): Promise<number> {
  const where = { ...which, deletedAt: { not: null }, sealedKeys: { not: null } };
  const accounts = await tx.account.findMany({
    where,
    select: { id: true, userId: true, access: true },
    orderBy: { id: "asc" },
  });
  for (const { id, userId, access } of accounts) {
    const { count } = await tx.account.updateMany({ where: { ...where, id }, data: { sealedKeys: null } });
    if (count === 0) continue;
    const message = `${ACCESS_TEXT[access].keptErased}: ${reason}`;
    await recordEvent({ actor, now, request }, tx, {
      level: "info",
      message,
      userId,
      accountId: id,
      audit: { eventType: "ACCOUNT_KEYS_ERASED", data: { accountId: id, access, reason } },
    });
  }
  return accounts.length;
}
