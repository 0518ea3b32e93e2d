import type { KillStateName } from "@/lib/domain/engine/plan.ts";

const FROM_FREE_TO_STRICT: readonly KillStateName[] = ["NONE", "NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"];

/** 0 for NONE, higher for stricter. */
export function strictness(state: KillStateName): number {
  return FROM_FREE_TO_STRICT.indexOf(state);
}

/** Of the account's and the system's state, the one that holds. */
export function stricterKillState(a: KillStateName, b: KillStateName): KillStateName {
  return strictness(a) > strictness(b) ? a : b;
}
