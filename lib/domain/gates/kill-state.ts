import type { AccountState } from "../engine/plan.ts";
import type { KillStateName } from "../enums.ts";
import { byCondition, type Gate } from "./gate.ts";

const KILL_LABELS: Record<KillStateName, string> = {
  NONE: "no kill switch is set",
  NO_NEW_ENTRIES: "kill switch: no new entries",
  REDUCE_ONLY: "kill switch: reduce only",
  FLATTEN: "kill switch: sell everything",
};

/** Whether an administrator stopped purchases of this symbol in every account of its market. */
export function isSymbolStopped({ stoppedSymbols }: Pick<AccountState, "stoppedSymbols">, symbol: string): boolean {
  return stoppedSymbols?.includes(symbol) ?? false;
}

export const killState = {
  code: "kill_state",
  label: "kill switch",
  explanation: "While a kill switch is set, nothing new is bought.",
  scope: "order",
  check: ({ state, symbol }) => {
    const isFree = state.killState === "NONE" && state.haltReason === null;
    if (isFree && isSymbolStopped(state, symbol)) return byCondition(false, `kill switch of ${symbol}: reduce only`);
    return byCondition(isFree, state.haltReason ?? KILL_LABELS[state.killState]);
  },
} as const satisfies Gate;
