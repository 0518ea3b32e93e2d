import { byCondition, type Gate } from "./gate.ts";

export const accountStatus = {
  code: "account_status",
  label: "account status",
  explanation: "The account has to be active and not on hold.",
  scope: "account",
  check: ({ state }) => byCondition(state.status === "ACTIVE", `the account is ${state.status.toLowerCase()}`),
} as const satisfies Gate;
