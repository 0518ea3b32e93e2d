/** What the broker's answer to a sent order proves, and what the intent becomes because of it. */
import type { IntentStatusName } from "../enums.ts";
import { awaitsAnswer } from "./intent-states.ts";

export type SendClass =
  /** Taken: the answer holds the order. */
  | "accepted"
  /** Refused by the broker itself, with its code: no order exists. */
  | "rejected"
  /** The client id may be taken already: look it up and compare. */
  | "duplicate"
  | "keys_refused"
  /** Proven not taken: the same id may go out later. */
  | "throttled"
  /** Anything else: the order may or may not exist. */
  | "unknown";

/** Statuses whose coded refusals come from the broker itself, not from a proxy. */
const REFUSALS: ReadonlySet<number> = new Set([400, 403, 404, 422]);
const DUPLICATE_CODE = "40010001";

/**
 * An HTTP answer to POST /orders as a proof. `status` is null where no answer came, `code` is the broker's own error code,
 * `holdsOrder` says that a 2xx body was read as an order. Only what the broker said itself counts: every 5xx, timeout,
 * unreadable body and uncoded refusal is unknown (reference: order protocol, T3).
 */
export function sendClass(status: number | null, code: string | null, holdsOrder: boolean): SendClass {
  if (status === null) return "unknown";
  if (status >= 200 && status < 300) return holdsOrder ? "accepted" : "unknown";
  if (status === 401 || (status === 403 && code === null)) return "keys_refused";
  if (status === 429) return "throttled";
  if (code === null || !REFUSALS.has(status)) return "unknown";
  return status === 422 && code === DUPLICATE_CODE ? "duplicate" : "rejected";
}

/** `found`: a lookup by our client id answered an order. `withdrawn`: taken back between the mark and the call. */
export type AnswerKind = Exclude<SendClass, "duplicate"> | "found" | "withdrawn";

export interface AnswerStep {
  /** FOLLOW: the order's own status decides. KEEP: the intent was settled meanwhile. */
  status: "FOLLOW" | "KEEP" | "UNKNOWN" | "REJECTED" | "HALTED";
  /** No more orders for the account until a person resumes. */
  halts: boolean;
}

const step = (status: AnswerStep["status"], halts = false): AnswerStep => Object.freeze({ status, halts });
const FOLLOW = step("FOLLOW");
const KEEP = step("KEEP");
const KEEP_AND_HALT = step("KEEP", true);
const UNKNOWN = step("UNKNOWN");
const UNKNOWN_AND_HALT = step("UNKNOWN", true);
const REJECTED = step("REJECTED");
const REJECTED_AND_HALT = step("REJECTED", true);
const HALTED = step("HALTED");

/**
 * What an answer makes of an intent in `status`. `isSameOrder`: an answered order carries the intent's client id.
 * `isOnlySend`: the mark is still the sender's own; under another one's, a refusal proves nothing of the other request.
 */
export function afterAnswer(
  answer: AnswerKind,
  status: IntentStatusName,
  isSameOrder: boolean,
  isOnlySend: boolean,
): AnswerStep {
  if ((answer === "accepted" || answer === "found") && isSameOrder) return FOLLOW;
  const halts = answer === "keys_refused";
  if (!awaitsAnswer(status)) return halts ? KEEP_AND_HALT : KEEP;
  switch (answer) {
    case "accepted":
    case "found":
    case "unknown":
      return UNKNOWN;
    case "withdrawn":
      return isOnlySend ? HALTED : UNKNOWN;
    case "rejected":
    case "throttled":
      return isOnlySend ? REJECTED : UNKNOWN;
    case "keys_refused":
      return isOnlySend ? REJECTED_AND_HALT : UNKNOWN_AND_HALT;
  }
}
