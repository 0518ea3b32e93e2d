import type { Intent } from "../../core/row-types.ts";

export const INTERRUPTED_BEFORE_SENDING = "interrupted before sending";
export const GATES_NOT_ASKED = "the gates could not be asked again";
/** Before what a person typed, which the erasure of that person's records removes. */
export const RESOLVED_BY_PERSON = "resolved by a person";

/**
 * True for an intent that was abandoned before its mark, for no reason of its own: its worker died, or its gates could not be
 * asked. Nothing was sent and nothing can be, because the mark is taken from GATED alone: the same may be tried again under
 * an id of its own.
 */
export function wasNeverSent({ status, submittedAt, lastError }: Pick<Intent, "status" | "submittedAt" | "lastError">) {
  const isGivenUp = lastError === INTERRUPTED_BEFORE_SENDING || lastError === GATES_NOT_ASKED;
  return status === "HALTED" && submittedAt === null && isGivenUp;
}
