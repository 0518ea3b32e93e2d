import type { KillStateName } from "../engine/plan.ts";
import { byCondition, type Gate } from "./gate.ts";

const KILL_WORDS: Record<KillStateName, string> = {
  NONE: "no kill switch is set",
  NO_NEW_ENTRIES: "kill switch: no new entries",
  REDUCE_ONLY: "kill switch: reduce only",
  FLATTEN: "kill switch: sell everything",
};

export const killState: Gate = ({ state }) =>
  byCondition(
    "kill_state",
    state.killState === "NONE" && state.haltReason === null,
    state.haltReason ?? KILL_WORDS[state.killState],
  );
