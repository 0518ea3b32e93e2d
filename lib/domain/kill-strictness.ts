import { KILL_STATES, type KillStateName } from "@/lib/domain/enums.ts";

/** 0 for NONE, higher for stricter. */
export function strictness(state: KillStateName): number {
  return KILL_STATES.indexOf(state);
}

/** Of the states of several levels (system, person, account), the one that holds. */
export function strictestKillState(...states: KillStateName[]): KillStateName {
  return states.reduce((strictest, state) => (strictness(state) > strictness(strictest) ? state : strictest), "NONE");
}
