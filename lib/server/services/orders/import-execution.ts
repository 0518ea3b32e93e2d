import { splitAmended } from "@/lib/domain/protocol/executions.ts";
import { readFromMs } from "@/lib/domain/protocol/watermark.ts";
import type { Account } from "../../core/row-types.ts";
import type { Broker, BrokerExecution } from "../../broker/broker.ts";
import type { Context } from "../../context.ts";
import { recordExecution, type ExecutionSource } from "./record-execution.ts";
import { recordOrder } from "./record-order.ts";
import { inTransaction, lockAccount } from "../../core/transaction.ts";

export function beforeWatermark(watermark: Date | null): string | null {
  const fromMs = readFromMs(watermark?.getTime() ?? null);
  return fromMs === null ? null : new Date(fromMs).toISOString();
}

/** Those of stocks, and of orders that the broker changed nothing about: the others are for correct-executions.ts. */
export async function fetchExecutionsSince(broker: Broker, watermark: Date | null): Promise<BrokerExecution[]> {
  return splitAmended((await broker.executionsSince(beforeWatermark(watermark))).filter(isOfStock)).plain;
}

export const isOfStock = ({ assetClass }: BrokerExecution) => assetClass === undefined;

/** Books an execution once, fetching its order first where it is not known yet. True when it was new. */
export async function importExecution(
  context: Context,
  account: Account,
  broker: Broker,
  execution: BrokerExecution,
  source: ExecutionSource,
): Promise<boolean> {
  const where = { accountId_brokerOrderId: { accountId: account.id, brokerOrderId: execution.orderId } };
  const known = await context.db.order.findUnique({ where, select: { id: true } });
  const fetched = known ? null : await broker.order(execution.orderId);
  if (!known && !fetched) throw new Error(`the broker does not know order ${execution.orderId} of its own execution`);
  return inTransaction(context, async (tx) => {
    const locked = await lockAccount(tx, account.id);
    if (fetched) await recordOrder(context, tx, locked, fetched);
    const { isNew } = await recordExecution(context, tx, locked, execution, source);
    return isNew;
  });
}
