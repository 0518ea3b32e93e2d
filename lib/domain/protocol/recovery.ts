/** What every start does with what it finds, and in which order legs go out. */
import type { IntentStatusName, SideName } from "../enums.ts";
import { AWAITING_ANSWER, awaitsAnswer, UNSENT } from "./intent-states.ts";

/** ask: its sender is gone, so its answer is a question. halt: it was never sent. */
export type RecoveryStep = "ask" | "halt" | "keep";

/** The mark is committed before the call, so an intent without it was never sent and never will be. */
export function recoveryStep(status: IntentStatusName, hasPassedGate: boolean): RecoveryStep {
  if (status === "SUBMITTING") return "ask";
  if ((status === "GATED" || status === "PLANNED") && hasPassedGate) return "halt";
  return "keep";
}

/** What a process may have left in the middle of sending: a start settles these before it takes any work. */
export const INTENTS_IN_DOUBT = [...UNSENT, ...AWAITING_ANSWER] as const;

/** in_the_air: an order's outcome is unknown. for_a_person: a parked order has its answer. unread: the books were not read yet. */
export type ResumeRefusal = "in_the_air" | "for_a_person" | "unread";

/** Why a halted account may not be resumed; null when it may. `nextAskAt`: when a parked order is asked for again, if at all. */
export function refusalToResume(
  intents: readonly { status: IntentStatusName; nextAskAt: unknown }[],
  isReconciled: boolean,
): ResumeRefusal | null {
  if (intents.some(({ status }) => awaitsAnswer(status))) return "in_the_air";
  if (intents.some(waitsForPerson)) return "for_a_person";
  return isReconciled ? null : "unread";
}

/** A parked intent that is no longer asked for has its answer: a person has to say what becomes of it. */
export function waitsForPerson({ status, nextAskAt }: { status: IntentStatusName; nextAskAt: unknown }): boolean {
  return status === "PARKED" && nextAskAt === null;
}

interface Leg {
  leg: number;
  side: SideName;
}

/** Sales before purchases, each in the plan's order; cancels go out before any leg. */
export function compareLegs(a: Leg, b: Leg): number {
  if (a.side !== b.side) return a.side === "SELL" ? -1 : 1;
  return a.leg - b.leg;
}
