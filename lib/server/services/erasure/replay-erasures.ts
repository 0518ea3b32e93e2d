import { randomBytes } from "node:crypto";
import type { Erasure } from "../../audit/erasure-list.ts";
import type { Context } from "../../context.ts";
import { hashPassword } from "../../secrets/password.ts";
import { forgetPerson } from "./forget-person.ts";

/**
 * Erases again whom a restored database brought back. Brokers are not asked: entries were cancelled and keys given back when
 * the person was erased, and the keys of the copy are not to be used again. Answers how many it were; may be repeated.
 */
export async function replayErasures(context: Context, erasures: Erasure[]): Promise<number> {
  let replayed = 0;
  for (const { userId, at } of erasures) {
    const user = await context.db.user.findUnique({ where: { id: userId }, select: { id: true } });
    const key = await context.db.subjectKey.findUnique({ where: { userId }, select: { erasedAt: true } });
    if (user === null || key?.erasedAt) continue;
    await context.db.account.updateMany({
      where: { userId, deletedAt: null },
      data: { deletedAt: at, status: "INACTIVE", writerEpoch: { increment: 1 } },
    });
    await context.db.account.updateMany({
      where: { userId },
      data: { sealedKeys: null, keyPrefix: null, accountNumberEnd: null },
    });
    const unusableHash = await hashPassword(randomBytes(32).toString("base64url"), { isOwnDevice: true });
    await forgetPerson(
      context,
      { userId, unusableHash, isReplayed: true },
      {
        ...{ actor: context.actor, subjectUserId: userId, requestId: context.request.id, eventType: "USER_ERASED" },
        data: { isReplayed: true, erasedAt: at.toISOString() },
      },
    );
    replayed += 1;
  }
  return replayed;
}
