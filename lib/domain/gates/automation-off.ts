import { byCondition, type Gate } from "./gate.ts";

export const automationOff = {
  code: "automation_off",
  label: "automation off",
  name: "automation",
  explanation: "Automation has to be switched on, by you and for everyone.",
  scope: "account",
  check: ({ state }) => byCondition(state.automationOff === null, state.automationOff ?? "automation is on"),
} as const satisfies Gate;
