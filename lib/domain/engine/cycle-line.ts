import { counted } from "../counted.ts";
import type { AccountState, MarketView, Plan } from "./plan.ts";
import type { SessionView } from "./session-view.ts";
import { GATE_CODES, GATE_OF, type GateCode } from "../gates/gates.ts";

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
  { market, clock }: SessionView,
  state: AccountState,
  counts: Plan["counts"],
  refusals: ReadonlyMap<GateCode, number>,
): string {
  const head = `${clock}: ${counts.screened} screened, ${counts.seated} seated, ${counted(counts.signals, "signal")}, ${counted(counts.orders, "order")}`;
  const parts = [...refusals]
    .sort(([a, m], [b, n]) => n - m || GATE_CODES.indexOf(a) - GATE_CODES.indexOf(b))
    .map(([code, count]) => `${count} ${GATE_OF[code].label}`);
  if (parts.length > 0) return `${head}: ${parts.join(", ")}`;
  const stopped = accountGate(state, market);
  return stopped === null ? head : `${head}: ${GATE_OF[stopped].label}`;
}
