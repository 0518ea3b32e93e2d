import type { IntentStatusName, SideName } from "../enums.ts";

export const LEG_OUTCOMES = ["waiting", "submitted", "filled", "refused", "expired", "parked"] as const;
export type LegOutcome = (typeof LEG_OUTCOMES)[number];

export interface LegResult {
  outcome: LegOutcome;
  /** In words; null where the outcome says it all. */
  reason: string | null;
}

/** The newest attempt of a leg, as far as its outcome asks. */
export interface LegIntent {
  status: IntentStatusName;
  lastError: string | null;
  /** Given up before anything could be sent: it may be tried again under an id of its own. */
  isUnsent: boolean;
  /** Shares its order has bought or sold so far. */
  filledQty: number;
  qty: number;
}

const WAITING: LegResult = { outcome: "waiting", reason: null };

/** Shares of an order that ended before it was complete. */
function partOf({ filledQty, qty }: LegIntent): string {
  return filledQty > 0 ? `${filledQty} of ${qty} shares were traded` : "no share was traded";
}

/** What became of a leg, by its newest attempt: the intent's life is the truth, the leg only says it in its own words. */
export function outcomeOfIntent(intent: LegIntent): LegResult {
  const { status, lastError, isUnsent } = intent;
  switch (status) {
    case "PLANNED":
    case "GATED":
      return WAITING;
    case "SUBMITTING":
    case "UNKNOWN":
      return { outcome: "submitted", reason: "The broker has not answered yet; it is being asked." };
    case "LIVE":
      return { outcome: "submitted", reason: null };
    case "FILLED":
      return { outcome: "filled", reason: null };
    case "PARKED":
      return { outcome: "parked", reason: lastError ?? "The outcome of the order is not known." };
    case "DENIED":
    case "REJECTED":
      return { outcome: "refused", reason: lastError };
    case "HALTED":
      return isUnsent ? WAITING : { outcome: "refused", reason: lastError };
    case "CANCELED":
      return { outcome: "expired", reason: `The order was cancelled: ${partOf(intent)}.` };
    case "EXPIRED":
      return { outcome: "expired", reason: `The order expired: ${partOf(intent)}.` };
  }
}

/** True when nothing more will become of the leg by itself; a parked one waits for a person. */
export function isSettled(outcome: LegOutcome): boolean {
  return outcome === "filled" || outcome === "refused" || outcome === "expired";
}

/** Which legs of one account may go out now: forced exits and sells first, purchases once every sell is settled. */
export function legsToSend<L extends { leg: number; side: SideName; outcome: LegOutcome }>(legs: readonly L[]): L[] {
  const inOrder = [...legs].sort((a, b) => a.leg - b.leg);
  const waiting = (side: L["side"]) => inOrder.filter((leg) => leg.side === side && leg.outcome === "waiting");
  const sells = waiting("SELL");
  if (sells.length > 0) return sells;
  return inOrder.every(({ side, outcome }) => side === "BUY" || isSettled(outcome)) ? waiting("BUY") : [];
}
