/** What a person may make of an intent that the protocol parked. */
import type { IntentStatusName, OrderStatusName } from "../enums.ts";
import { intentStatusOf, isTerminal } from "../orders.ts";

export interface ParkedFacts {
  status: IntentStatusName;
  /** The broker's order with the intent's client id, as last reported; null when none was ever found. */
  order: { status: OrderStatusName; isSame: boolean } | null;
  /** As `canStillTurnUp` says. */
  canStillTurnUp: boolean;
  /** Every order since the decision was read just now. */
  wasSwept: boolean;
}

export type Closing = { status: "CANCELED" | "EXPIRED" | "FILLED" | "REJECTED" } | { refusal: string };

const refuse = (refusal: string): Closing => ({ refusal });

/**
 * A person closes a parked intent. What was never found may be closed once it can no longer turn up and every
 * order was read. An order that differs from the decision stays a foreign order (EXTERNAL),
 * and the decision ends as cancelled. An order that is the decided one ends as the order ended.
 */
export function closeParked({ status, order, canStillTurnUp, wasSwept }: ParkedFacts): Closing {
  if (status !== "PARKED") return refuse("the order is not parked");
  if (order === null)
    return !canStillTurnUp && wasSwept
      ? { status: "EXPIRED" }
      : refuse("the order may still arrive: its session has not been over for long enough");
  if (!order.isSame) return { status: "CANCELED" };
  if (!isTerminal(order.status)) return refuse("the order is still open: cancel it first");
  const ended = intentStatusOf(order.status);
  // A replaced order lives on in its replacement.
  return ended === "LIVE" ? refuse("the order was replaced: its replacement is still open") : { status: ended };
}
