/**
 * The id an order carries at the broker. It follows from the decision alone, so a worker that starts
 * again asks for the same id and never makes a second order.
 */
export function clientOrderId(planId: string, accountId: string, leg: number, attempt: number): string {
  return `tw-${planId}-${accountId.slice(-8)}-${leg}-${attempt}`;
}

/** True for ids that this product gave. */
export function isOurClientOrderId(id: string): boolean {
  return id.startsWith("tw-");
}

/**
 * The id of an execution. The stream and the activity feed use different ids for the same execution;
 * the order and its cumulative quantity after it name it on both roads.
 */
export function executionId(brokerOrderId: string, cumulativeQty: string): string {
  return `${brokerOrderId}:${cumulativeQty}`;
}
