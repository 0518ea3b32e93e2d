import { byCondition, type Gate } from "./gate.ts";

export const automationOff: Gate = ({ state }) =>
  byCondition("automation_off", state.automationOff === null, state.automationOff ?? "automation is on");
