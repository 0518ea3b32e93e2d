/** What the broker's list of an order's executions comes to, once some of them were taken back or changed. */
import { money, sum, text, type DecimalText } from "../money.ts";

export interface ListedExecution {
  orderId: string;
  /** Shares of the order filled up to and including this execution. */
  cumulativeQty: DecimalText;
  /** Shares. */
  qty: DecimalText;
  amendment?: "canceled" | "corrected";
}

/** Executions of orders that the broker changed nothing about, and the ids of the other orders. */
export function splitAmended<T extends ListedExecution>(listed: readonly T[]): { plain: T[]; amendedOrders: string[] } {
  const amended = new Set(listed.filter(({ amendment }) => amendment !== undefined).map(({ orderId }) => orderId));
  return { plain: listed.filter(({ orderId }) => !amended.has(orderId)), amendedOrders: [...amended] };
}

/**
 * The executions of one order that count. A cancelled one never does. A corrected one either holds the new figures itself or
 * stands beside its successor, and only the order's filled quantity shows which: null where neither reading agrees
 * with it (the list is late or torn), or where two executions would bear one identity.
 */
export function effectiveExecutions<T extends ListedExecution>(
  listed: readonly T[],
  filledQty: DecimalText,
): T[] | null {
  const left = listed.filter(({ amendment }) => amendment !== "canceled");
  const successors = left.filter(({ amendment }) => amendment === undefined);
  const agrees = (executions: T[]) => sum(executions.map(({ qty }) => money(qty))).eq(money(filledQty));
  const standing = [left, successors].find(agrees);
  if (standing === undefined) return null;
  const identities = new Set(standing.map(({ cumulativeQty }) => text(cumulativeQty)));
  return identities.size === standing.length ? standing : null;
}
