/** What every start does with what it finds, and in which order legs go out. */
import type { IntentStatusName } from "../orders.ts";
import { awaitsAnswer } from "./intent-states.ts";

/** ask: its sender is gone, so its answer is a question. halt: it was never sent. */
export type RecoveryStep = "ask" | "halt" | "keep";

/** The mark is committed before the call, so an intent without it was never sent and never will be. */
export function recoveryStep(status: IntentStatusName, hasPassedGate: boolean): RecoveryStep {
  if (status === "SUBMITTING") return "ask";
  if ((status === "GATED" || status === "PLANNED") && hasPassedGate) return "halt";
  return "keep";
}

/** Why a halted account may not be resumed; null when it may: nothing is in the air, and the books were read. */
export function refusalToResume(statuses: readonly IntentStatusName[], isReconciled: boolean): string | null {
  if (statuses.some(awaitsAnswer)) return "an order's fate is still unknown";
  return isReconciled ? null : "the account's books were not read yet";
}

interface Leg {
  leg: number;
  side: "BUY" | "SELL";
}

/** Sales before purchases, each in the plan's order; cancels go out before any leg. */
export function compareLegs(a: Leg, b: Leg): number {
  if (a.side !== b.side) return a.side === "SELL" ? -1 : 1;
  return a.leg - b.leg;
}
