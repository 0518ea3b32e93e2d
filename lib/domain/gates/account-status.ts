import { byCondition, type Gate } from "./gate.ts";

export const accountStatus: Gate = ({ state }) =>
  byCondition("account_status", state.status === "ACTIVE", `the account is ${state.status.toLowerCase()}`);
