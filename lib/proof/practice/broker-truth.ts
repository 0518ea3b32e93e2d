import { effectiveExecutions } from "@/lib/domain/protocol/executions.ts";
import type { Broker, BrokerExecution, BrokerOrder } from "@/lib/server/broker/broker.ts";
import { isOfStock } from "@/lib/server/services/orders/import-execution.ts";
import type { BrokerBooks } from "./compare-truth.ts";

/**
 * The books of an account as its broker lists them to a caller that holds its keys or was granted access: all of them since it was opened,
 * as the product reads them when it connects. Null where these keys open another account.
 */
export async function readBrokerBooks(broker: Broker, brokerAccountId: string): Promise<BrokerBooks | null> {
  const { id, cash } = await broker.account();
  if (id !== brokerAccountId) return null;
  const positions = await broker.positions();
  const orders = new Map(
    [...(await broker.ordersSince(null)), ...(await broker.openOrders())].flatMap(withLegs).map((row) => [row.id, row]),
  );
  const executions = (await broker.executionsSince(null)).filter(isOfStock);
  return {
    cash,
    positions: positions.map(({ symbol, qty }) => ({ symbol, qty })),
    orders: [...orders.values()].map((order) => ({
      id: order.id,
      client_order_id: order.clientOrderId,
      symbol: order.symbol,
      side: order.side,
      status: order.brokerStatus,
      filled_qty: order.filledQty,
    })),
    fills: standing(executions, orders),
  };
}

const withLegs = (order: BrokerOrder): BrokerOrder[] => [order, ...order.legs.flatMap(withLegs)];

/** What stands of the executions: those taken back do not, and of a corrected one what its order says. */
function standing(listed: readonly BrokerExecution[], orders: ReadonlyMap<string, BrokerOrder>): BrokerExecution[] {
  const byOrder = new Map<string, BrokerExecution[]>();
  for (const execution of listed)
    byOrder.set(execution.orderId, [...(byOrder.get(execution.orderId) ?? []), execution]);
  return [...byOrder].flatMap(([id, own]) => {
    if (own.every(({ amendment }) => amendment === undefined)) return own;
    return effectiveExecutions(own, orders.get(id)?.filledQty ?? "0") ?? own;
  });
}
