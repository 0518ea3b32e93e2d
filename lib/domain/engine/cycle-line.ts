import { rememberLately } from "../remember.ts";
import { clockText } from "../time.ts";
import type { AccountState, CandidateVerdict, MarketView, Plan } from "./plan.ts";
import { GATE_CODES, GATE_OF, type GateCode } from "../gates/gates.ts";

const clockOf = rememberLately(clockText);

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

/** The gate that stops the whole account, for a cycle in which no candidate met a gate; null when none does. */
function accountGate(state: AccountState, market: MarketView): GateCode | null {
  if (state.automationOff !== null) return "automation_off";
  if (state.killState !== "NONE" || state.haltReason !== null) return "kill_state";
  if (state.status !== "ACTIVE") return "account_status";
  if (!state.hasKeys) return "keys_missing";
  if (state.environment === "LIVE" && state.preferences.paperTradingOnly) return "live_not_allowed";
  return market.session.isOpen ? null : "market_hours";
}

/** One line for people: "10:05: 503 screened, 50 seated, 7 signals, 0 orders: 4 sector, 3 earnings" (New York time). */
export function cycleLine(
  market: MarketView,
  state: AccountState,
  counts: Plan["counts"],
  candidates: readonly CandidateVerdict[],
): string {
  const head = `${clockOf(market.at)}: ${counts.screened} screened, ${counts.seated} seated, ${counted(counts.signals, "signal")}, ${counted(counts.orders, "order")}`;
  const byGate = new Map<GateCode, number>();
  for (const { failing } of candidates) {
    const first = failing[0];
    if (first !== undefined) byGate.set(first, (byGate.get(first) ?? 0) + 1);
  }
  const refusals = [...byGate]
    .sort(([a, m], [b, n]) => n - m || GATE_CODES.indexOf(a) - GATE_CODES.indexOf(b))
    .map(([code, count]) => `${count} ${GATE_OF[code].label}`);
  if (refusals.length > 0) return `${head}: ${refusals.join(", ")}`;
  const stopped = accountGate(state, market);
  return stopped === null ? head : `${head}: ${GATE_OF[stopped].label}`;
}
