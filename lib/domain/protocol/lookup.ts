/** The handling of an order whose answer was lost: when it is looked up, and what the broker's answer means. */
import type { IntentStatusName } from "../enums.ts";
import { isDue } from "../wall-clock.ts";
import { ASK_AFTER_MS, EXPIRE_AFTER_WINDOWS, PARKED_ASK_MS, SUBMIT_DEADLINE_MS } from "./settings.ts";

/**
 * True when no process waits for the answer any longer: the deadline of the submission has passed, or lies so far ahead that the clock which
 * set it was wrong.
 */
export function isUnresolved(status: IntentStatusName, submitDeadlineMs: number | null, nowMs: number): boolean {
  if (status === "SUBMITTING")
    return (
      submitDeadlineMs !== null && submitDeadlineMs !== nowMs && isDue(SUBMIT_DEADLINE_MS, submitDeadlineMs, nowMs)
    );
  return status === "UNKNOWN" || status === "PARKED";
}

/** Of the open questions, those to ask now. A parked intent without a time has its answer: it waits for a person. */
export function isLookupDue(
  status: IntentStatusName,
  nextAskAtMs: number | null,
  nowMs: number,
  isImpatient: boolean,
): boolean {
  if (nextAskAtMs === null && status === "PARKED") return false;
  return isImpatient || status === "SUBMITTING" || nextAskAtMs === null || isDue(PARKED_ASK_MS, nextAskAtMs, nowMs);
}

/** When to ask next, after `askCount` questions; never later than the end of the settle window. */
export function nextAskAtMs(nowMs: number, askCount: number, endOfWindowMs = Infinity): number {
  return Math.min(nowMs + (ASK_AFTER_MS[askCount] ?? PARKED_ASK_MS), endOfWindowMs);
}

export type LookupStep =
  /** Compared, and taken over where it is the order that was decided. */
  | "adopt"
  | "ask_later"
  /** A lookup may lag behind the list: every order since the decision is read before an intent is closed. */
  | "walk"
  /** Parked with an alert, and still looked up. */
  | "park"
  /** The session is over and the order was in no list: it never existed. */
  | "expire";

export interface LookupFacts {
  status: IntentStatusName;
  isFound: boolean;
  /** Every order since the decision was read, and it was not among them. */
  wasWalked: boolean;
  /** Since the order was sent. */
  waitedMs: number;
  settleWindowMs: number;
  /** A later session has begun: no day order outlives a queue for that long. */
  isSessionOver: boolean;
  /** An order of the intent is known: the intent waits for a person, not for the broker. */
  hasOrder: boolean;
}

/**
 * Whether an order that is in no list may still reach the broker's books: a day order does not outlive a queue for a whole
 * session, but a session may end, and a fast market's next one begin, a second after the order was sent.
 */
export function canStillTurnUp(isSessionOver: boolean, waitedMs: number, settleWindowMs: number): boolean {
  return !isSessionOver || waitedMs < EXPIRE_AFTER_WINDOWS * settleWindowMs;
}

/**
 * A lookup that finds nothing is no proof inside the settle window, and no proof of the end before the session is over. A
 * closed intent is never sent again: that would be safe only where the broker refuses every client id it has ever seen, and a
 * request still on its way cannot be distinguished from one that was lost.
 */
export function afterLookup(facts: LookupFacts): LookupStep {
  if (facts.isFound) return "adopt";
  if (facts.status === "PARKED") {
    if (facts.hasOrder || canStillTurnUp(facts.isSessionOver, facts.waitedMs, facts.settleWindowMs)) return "ask_later";
    return facts.wasWalked ? "expire" : "walk";
  }
  if (facts.waitedMs < facts.settleWindowMs) return "ask_later";
  if (!facts.wasWalked) return "walk";
  return "park";
}
