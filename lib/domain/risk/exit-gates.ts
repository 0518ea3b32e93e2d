import type { AccountState, GateResult, MarketView, OrderPurpose } from "../engine/plan.ts";
import { byCondition } from "../gates/gate.ts";

/**
 * What a sell is asked before it leaves. No entry gate is among these: only what makes an order impossible (the account,
 * its keys, a closed market for market orders) and the promise that a LIVE account is not traded while the user trades on
 * paper only, which a flatten command and a sale by the owner's own hand override.
 */
export function exitGates(purpose: OrderPurpose | "MANUAL", state: AccountState, market: MarketView): GateResult[] {
  const gates: GateResult[] = [
    // A paused account opens nothing; what it holds is still sold and protected.
    {
      code: "account_status",
      ...byCondition(state.status !== "INACTIVE", `the account is ${state.status.toLowerCase()}`),
    },
    {
      code: "keys_missing",
      ...byCondition(state.hasKeys, state.hasKeys ? "keys are stored" : "no broker keys are stored"),
    },
  ];
  if (purpose !== "FLATTEN" && purpose !== "MANUAL") {
    const isAllowed = state.environment !== "LIVE" || !state.preferences.paperTradingOnly;
    gates.push({
      code: "live_not_allowed",
      ...byCondition(isAllowed, state.environment === "LIVE" ? "live account" : "paper account"),
    });
  }
  // A resting order may wait for the open; a market order may not.
  if (purpose !== "PROTECT") {
    gates.push({
      code: "market_hours",
      ...byCondition(market.session.isOpen, market.session.isOpen ? "the market is open" : "the market is closed"),
    });
  }
  return gates;
}
