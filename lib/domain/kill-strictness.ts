import type { KillStateName } from "@/lib/domain/engine/plan.ts";

const FROM_FREE_TO_STRICT: readonly KillStateName[] = ["NONE", "NO_NEW_ENTRIES", "REDUCE_ONLY", "FLATTEN"];

/** 0 for NONE, higher for stricter. */
export function strictness(state: KillStateName): number {
  return FROM_FREE_TO_STRICT.indexOf(state);
}

/** Of the states of several levels (system, person, account), the one that holds. */
export function strictestKillState(...states: KillStateName[]): KillStateName {
  return states.reduce((strictest, state) => (strictness(state) > strictness(strictest) ? state : strictest), "NONE");
}
