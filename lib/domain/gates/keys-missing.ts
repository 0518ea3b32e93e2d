import { byCondition, type Gate } from "./gate.ts";

export const keysMissing: Gate = ({ state }) =>
  byCondition("keys_missing", state.hasKeys, state.hasKeys ? "keys are stored" : "no broker keys are stored");
