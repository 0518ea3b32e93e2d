/** What a protective order meets on its way: entries and sales of its symbol that are open, or whose outcome is not known. */
import type { IntentStatusName } from "../enums.ts";
import { FILLING_MS, SUBMIT_DEADLINE_MS } from "./settings.ts";

/** An entry that stands partly filled: its legs wait for the whole. It has some time, and is cancelled then. */
export function fillingStep(isOpen: boolean, sinceFillMs: number): "wait" | "release" {
  return isOpen && sinceFillMs < FILLING_MS ? "wait" : "release";
}

/** release: cancelled, and its shares protected with the bare ones. halt: never sent. park: a user is alerted. */
export type ProtectingStep = "nothing" | "release" | "wait" | "halt" | "park";

export interface BlockingSale {
  status: IntentStatusName;
  isProtective: boolean;
  /** Since it was sent. */
  waitedMs: number;
  /** The broker reserves other shares than our books say: this may be among them. */
  mayBeThere: boolean;
}

/**
 * Whether an order whose answer stayed out may be at the broker, by the shares of its symbol that are reserved there and those that the orders
 * in our books reserve. More are reserved: for one that we do not know. Fewer: one of ours is gone, and what is reserved may be another's.
 */
export function mayReserveUnknown(reserved: number, inOurBooks: number): boolean {
  return Math.abs(reserved - inOurBooks) >= 1;
}

/**
 * What becomes of a sale that a protective order meets: shares are bare beside it. A stop for fewer shares than are held is
 * replaced; another sale that works has as long as an entry. One whose answer stayed out for longer than any request
 * lives is parked where the broker reserves no share for it: if it still arrived, it would find none.
 */
export function protectingStep({ status, isProtective, waitedMs, mayBeThere }: BlockingSale): ProtectingStep {
  switch (status) {
    case "LIVE":
      return isProtective || waitedMs >= FILLING_MS ? "release" : "wait";
    case "PLANNED":
    case "GATED":
      return "halt";
    case "SUBMITTING":
    case "UNKNOWN":
      return waitedMs < SUBMIT_DEADLINE_MS || mayBeThere ? "wait" : "park";
    default:
      return "nothing";
  }
}
