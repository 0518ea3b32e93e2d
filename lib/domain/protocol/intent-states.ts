/**
 * The life of an intent as one table: which status may follow which. Nothing leaves a final status, and nothing goes back
 * to a time before the broker heard of it.
 */
import type { IntentStatusName } from "../orders.ts";

const ORDER_STATES = ["LIVE", "FILLED", "CANCELED", "EXPIRED", "REJECTED"] as const;

/** Rows: what the intent is; cells: what it may become. An intent whose id was taken already is adopted as it stands. */
const INTENT_EDGES: Record<IntentStatusName, readonly IntentStatusName[]> = {
  PLANNED: ["GATED", "DENIED", "HALTED"],
  GATED: ["SUBMITTING", "DENIED", "HALTED", ...ORDER_STATES],
  SUBMITTING: ["UNKNOWN", "PARKED", "HALTED", ...ORDER_STATES],
  // Back to SUBMITTING only where the same id may go out once more.
  UNKNOWN: ["SUBMITTING", "PARKED", "HALTED", ...ORDER_STATES],
  PARKED: ORDER_STATES,
  LIVE: ["PARKED", "FILLED", "CANCELED", "EXPIRED", "REJECTED"],
  DENIED: [],
  HALTED: [],
  FILLED: [],
  CANCELED: [],
  EXPIRED: [],
  REJECTED: [],
};

/** True when an intent may go from one status to the other; staying is no move. */
export function mayBecome(from: IntentStatusName, to: IntentStatusName): boolean {
  return INTENT_EDGES[from].includes(to);
}

/** Sent, and what became of it is not recorded: an answer may still settle it. */
export function awaitsAnswer(status: IntentStatusName): boolean {
  return status === "SUBMITTING" || status === "UNKNOWN";
}

/** An order of the same symbol and side may exist or come to exist: no second one may be recorded. */
export function blocksNewOrder(status: IntentStatusName): boolean {
  return status === "PARKED" || awaitsAnswer(status) || status === "LIVE" || status === "GATED" || status === "PLANNED";
}
