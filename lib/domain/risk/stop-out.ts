import type { ExitReason } from "../engine/reasons.ts";
import type { TripOutcome } from "../enums.ts";

/** Exits through a stop: protective (the disaster stop of mean reversion is one) or trailing, resting or decided on a close. */
export const STOP_EXITS = ["protective_stop", "trailing_stop"] as const satisfies readonly ExitReason[];

/** True for a round trip that a stop closed at a loss (engine.md §9): what the cooldown and the stop guard count. */
export function isStopOut(reason: ExitReason, outcome: TripOutcome): boolean {
  return outcome === "LOSS" && (STOP_EXITS as readonly ExitReason[]).includes(reason);
}
