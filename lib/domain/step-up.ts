import { Failure } from "./failures.ts";
import { MINUTE_MS } from "./time.ts";

/** How long a check of password or second factor counts as a confirmation of who calls. */
export const STEP_UP_MS = 5 * MINUTE_MS;

/** Why a call that asks for a step-up is refused; null where the last confirmation is recent. Wall time. */
export function stepUpRefusal(confirmedAt: Date | undefined, now: Date): Failure | null {
  if (confirmedAt !== undefined && now.getTime() - confirmedAt.getTime() <= STEP_UP_MS) return null;
  return new Failure("step_up_required", "Confirm that it is you to continue.");
}
