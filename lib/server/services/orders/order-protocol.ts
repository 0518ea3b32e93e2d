import { refusalOfBuild } from "@/lib/domain/protocol/mark.ts";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { inTransaction } from "../../core/transaction.ts";

/** From the first order that this build marks on, older builds send nothing here (`refusalOfBuild`). */
export async function raiseOrderProtocol(db: Db): Promise<void> {
  await db.$executeRaw`
    update "SystemState" set "orderProtocol" = ${ORDER_PROTOCOL} where "id" = 1 and "orderProtocol" < ${ORDER_PROTOCOL}`;
}

/** Why orders of this build are refused; null when they are not. */
export async function readBuildFence({ db }: Pick<Context, "db">): Promise<string | null> {
  const { orderProtocol } = await db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  return refusalOfBuild(orderProtocol);
}

/**
 * Lets this build send again after a newer one was taken back. The operator has stopped the newer one: it would
 * raise the fence again with its next order. Answers the protocol that was in force.
 */
export async function acceptBuild(context: Context, { reason }: { reason: string }): Promise<number> {
  return inTransaction(context, async (tx) => {
    await tx.$queryRaw`select 1 from "SystemState" where "id" = 1 for update`;
    const { orderProtocol } = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
    if (orderProtocol <= ORDER_PROTOCOL) return orderProtocol;
    await tx.systemState.update({ where: { id: 1 }, data: { orderProtocol: ORDER_PROTOCOL } });
    await recordAudit(tx, {
      at: context.now(),
      eventType: "BUILD_ACCEPTED",
      actor: context.actor,
      requestId: context.request.id,
      data: { from: orderProtocol, to: ORDER_PROTOCOL, reason },
    });
    return orderProtocol;
  });
}
