/**
 * The life of an intent as one table: which status may follow which. Nothing goes back to a time before the broker received
 * it, so that no intent is sent twice. Nothing leaves a final status on our own word; only an order of its own, turning up
 * at the broker, reopens what was closed without one.
 */
import type { IntentStatusName } from "../enums.ts";

const ORDER_STATES = ["LIVE", "FILLED", "CANCELED", "EXPIRED", "REJECTED"] as const;
/** What its order makes of an intent, or a person's question where another order of the symbol and side is open. */
const TAKEN_UP = ["PARKED", ...ORDER_STATES] as const;

/** Rows: what the intent is; cells: what it may become. An intent whose id was taken already is adopted as it stands. */
const INTENT_EDGES: Record<IntentStatusName, readonly IntentStatusName[]> = {
  PLANNED: ["GATED", "DENIED", "HALTED"],
  GATED: ["SUBMITTING", "DENIED", "HALTED", ...ORDER_STATES],
  SUBMITTING: ["UNKNOWN", "PARKED", "HALTED", ...ORDER_STATES],
  UNKNOWN: ["PARKED", "HALTED", ...ORDER_STATES],
  PARKED: ORDER_STATES,
  LIVE: ["PARKED", "FILLED", "CANCELED", "EXPIRED", "REJECTED"],
  DENIED: [],
  FILLED: [],
  HALTED: TAKEN_UP,
  CANCELED: TAKEN_UP,
  EXPIRED: TAKEN_UP,
  REJECTED: TAKEN_UP,
};

/** True when an intent may go from one status to the other. */
export function mayBecome(from: IntentStatusName, to: IntentStatusName): boolean {
  return INTENT_EDGES[from].includes(to);
}

/** What a filled intent becomes when the broker takes an execution back: its order is over with less, or continues. */
const TAKEN_BACK: readonly IntentStatusName[] = ["LIVE", "CANCELED", "EXPIRED"];

/** True when a correction by the broker may bring an intent from one status to the other. */
export function mayBeCorrected(from: IntentStatusName, to: IntentStatusName): boolean {
  return from === "FILLED" && TAKEN_BACK.includes(to);
}

/** Sent, and what became of it is not recorded; for queries. */
export const AWAITING_ANSWER = ["SUBMITTING", "UNKNOWN"] as const satisfies readonly IntentStatusName[];

/** Recorded, and not known to have been sent; for queries. */
export const UNSENT = ["PLANNED", "GATED"] as const satisfies readonly IntentStatusName[];

/** Sent, and whether the broker has it is not known: an answer may still come for a parked one. For queries. */
export const OUTCOME_UNKNOWN = [...AWAITING_ANSWER, "PARKED"] as const satisfies readonly IntentStatusName[];

/** Not known to have been sent, or sent and not answered. For queries. */
export const UNSETTLED = [...UNSENT, ...OUTCOME_UNKNOWN] as const satisfies readonly IntentStatusName[];

/** Beside one of these a decision of the symbol and side that was closed is not opened again without a person. For queries. */
export const RIVAL_STATUSES = [...UNSENT, ...AWAITING_ANSWER, "LIVE"] as const satisfies readonly IntentStatusName[];

/** Sent, and what became of it is not recorded: an answer may still settle it. */
export function awaitsAnswer(status: IntentStatusName): boolean {
  return status === "SUBMITTING" || status === "UNKNOWN";
}

/**
 * An order of the same symbol and side may exist or come to exist: no second one may be recorded. A protective sale asks for
 * shares alone that the broker has free (`isProtective`): a parked order that turned up after all would find none.
 */
export function blocksNewOrder(status: IntentStatusName, isProtective = false): boolean {
  if (status === "PARKED") return !isProtective;
  return awaitsAnswer(status) || status === "LIVE" || status === "GATED" || status === "PLANNED";
}
