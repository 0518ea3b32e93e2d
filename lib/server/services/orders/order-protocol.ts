import { refusalOfBuild } from "@/lib/domain/protocol/mark.ts";
import { ORDER_PROTOCOL } from "@/lib/domain/protocol/settings.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Context } from "../../context.ts";
import type { Db } from "../../db.ts";
import { env } from "../../env.ts";
import { inTransaction } from "../../core/transaction.ts";

/**
 * From the first order that this build marks on, older builds send nothing here (`refusalOfBuild`). A canary's orders fence off its
 * own accounts alone: older workers continue beside it.
 */
export async function raiseOrderProtocol(db: Db, intentId: string): Promise<void> {
  if (env().CANARY)
    await db.$executeRaw`
      update "Account" a set "orderProtocol" = ${ORDER_PROTOCOL} from "Intent" i
      where i."id" = ${intentId}::uuid and a."id" = i."accountId" and a."orderProtocol" < ${ORDER_PROTOCOL}`;
  else
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
    const { orderProtocol: ofAll } = await tx.systemState.findUniqueOrThrow({ where: { id: 1 } });
    const { _max: ofCanaries } = await tx.account.aggregate({ _max: { orderProtocol: true } });
    const orderProtocol = Math.max(ofAll, ofCanaries.orderProtocol ?? 0);
    if (orderProtocol <= ORDER_PROTOCOL) return orderProtocol;
    const isNewer = { orderProtocol: { gt: ORDER_PROTOCOL } };
    await tx.systemState.updateMany({ where: isNewer, data: { orderProtocol: ORDER_PROTOCOL } });
    await tx.account.updateMany({ where: isNewer, data: { orderProtocol: ORDER_PROTOCOL } });
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
