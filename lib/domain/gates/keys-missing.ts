import { byCondition, type Gate } from "./gate.ts";

export const keysMissing = {
  code: "keys_missing",
  label: "keys missing",
  name: "broker keys",
  explanation: "The account needs keys that the broker accepts.",
  scope: "account",
  check: ({ state }) => byCondition(state.hasKeys, state.hasKeys ? "keys are stored" : "no broker keys are stored"),
} as const satisfies Gate;
