import { byCondition, type Gate } from "./gate.ts";

export const killState: Gate = ({ state }) =>
  byCondition(
    "kill_state",
    state.killState === "NONE" && state.haltReason === null,
    state.haltReason ?? `kill state ${state.killState}`,
  );
