import { dailyLoss } from "../gates/daily-loss.ts";
import { drawdown } from "../gates/drawdown.ts";
import { isSymbolStopped } from "../gates/kill-state.ts";
import { stopGuard } from "../gates/stop-guard.ts";
import { isOurClientOrderId } from "../ids.ts";
import { money } from "../money.ts";
import type { Policy } from "../policy.ts";
import type { AccountState, MarketView, OpenOrderView } from "./plan.ts";
import { whyStale } from "./session-entries.ts";

/** Gates that stop every new entry of the account for its losses. */
const RISK_STOPS = [dailyLoss, drawdown, stopGuard];

/** The account's losses stop all its new entries. */
export function areStoppedByLosses(state: AccountState, market: MarketView, policy: Policy): boolean {
  return RISK_STOPS.some(({ check }) => !check({ state, market, policy }).passed);
}

/**
 * Our own entries to be cancelled: those that have waited too long in market time, those that are good for one session from its last
 * minutes on, and all of them once the kill switch is pulled, or those of the symbol whose switch it is. What the account's losses
 * stop is not bought by an order of before either. A rotation buys on while only new entries are stopped: it has sold for these purchases.
 */
export function staleEntries(state: AccountState, market: MarketView, policy: Policy): string[] {
  const entries = state.openOrders
    .filter((order) => order.role === "ENTRY" && isOurClientOrderId(order.clientOrderId))
    .filter(({ qty, filledQty }) => money(filledQty).lt(qty));
  if (entries.length === 0) return [];
  const areNewStopped = state.killState === "NO_NEW_ENTRIES" || areStoppedByLosses(state, market, policy);
  const areAllStopped = state.killState !== "NONE" && state.killState !== "NO_NEW_ENTRIES";
  const isStale = (order: OpenOrderView) =>
    areAllStopped ||
    (areNewStopped && order.isRotation !== true) ||
    isSymbolStopped(state, order.symbol) ||
    whyStale(order, market.at, market.session, policy) !== null;
  return entries
    .filter(isStale)
    .map(({ clientOrderId }) => clientOrderId)
    .sort();
}
