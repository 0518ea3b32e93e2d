import { isOurClientOrderId } from "../ids.ts";
import { money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { openBook } from "../risk/book.ts";
import { exitGates } from "../risk/exit-gates.ts";
import { proposedOrder } from "../gates/gate.ts";
import { runEntryGates } from "../gates/gates.ts";
import { isSymbolStopped } from "../gates/kill-state.ts";
import { orderRefusal } from "../sizing.ts";
import { MINUTE_MS } from "../time.ts";
import { cycleLine } from "./cycle-line.ts";
import { decideEntries, proposeEntry } from "./decide-entries.ts";
import { decideExits } from "./decide-exits.ts";
import { isForOneSession, isSessionEnding } from "./session-entries.ts";
import { latchOf } from "./latch.ts";
import {
  type AccountState,
  ENGINE_VERSION,
  type GateResult,
  type MarketView,
  type Plan,
  type PlannedOrder,
} from "./plan.ts";

/**
 * Our own entries that have waited too long in market time, those that are good for one session from its last minutes on,
 * and all of them once the kill switch is pulled, or those of the symbol whose switch it is.
 */
function staleEntries(state: AccountState, market: MarketView, policy: Policy): string[] {
  const limitMs = policy.orders_execution.entry_timeout_minutes * MINUTE_MS;
  return state.openOrders
    .filter((order) => order.role === "ENTRY" && isOurClientOrderId(order.clientOrderId))
    .filter(({ qty, filledQty }) => money(filledQty).lt(qty))
    .filter(
      ({ submittedAt, strategy, symbol }) =>
        state.killState !== "NONE" ||
        isSymbolStopped(state, symbol) ||
        Date.parse(market.at) - Date.parse(submittedAt) > limitMs ||
        (isForOneSession(strategy) && isSessionEnding(submittedAt, market.at, market.session, policy)),
    )
    .map(({ clientOrderId }) => clientOrderId)
    .sort();
}

/**
 * The whole strategy: what to do for one account at one moment of market time. Pure and deterministic; the order of
 * positions, orders, seats and symbols in the input does not matter. Exits come first, then entries by confidence.
 */
export function decide(state: AccountState, market: MarketView, policy: Policy): Plan {
  const exits = decideExits(state, market, policy);
  const selling = exits.orders.map((order, leg) => ({ ...order, leg }));
  const book = { ...openBook(state, market, policy), ordersPlanned: selling.length };
  const entries = decideEntries(state, market, policy, book, selling.length);
  const orders = [...selling, ...entries.orders];
  const signals = entries.candidates.filter(({ hasSignal }) => hasSignal).length;
  const counts = { screened: market.counts.screened, seated: market.seats.length, signals, orders: orders.length };
  return {
    engineVersion: ENGINE_VERSION,
    policyVersion: policy.version,
    at: market.at,
    orders,
    cancels: staleEntries(state, market, policy),
    reviews: exits.reviews,
    candidates: entries.candidates,
    counts,
    latch: latchOf(state, policy),
    line: cycleLine(market, state, counts, entries.candidates),
  };
}

/**
 * The gates once more for one planned order, just before it is submitted. `state` must not contain the order itself.
 * The order is judged as planned (its quantity and limit), against the account and market as they stand now; the limits
 * therefore hold even where a new sizing would choose less.
 */
export function regate(order: PlannedOrder, state: AccountState, market: MarketView, policy: Policy): GateResult[] {
  if (order.purpose !== "ENTRY" || order.strategy === null) return exitGates(order.purpose, state, market);
  const { symbol, strategy, confidence } = order;
  const seat = market.seats.find((candidate) => candidate.symbol === symbol) ?? null;
  const view = market.symbols[symbol] ?? null;
  const book = openBook(state, market, policy);
  const { input } = proposeEntry({ symbol, view, seat, strategy, confidence }, { state, market, policy, book });
  if (view === null || view.quote === null || order.limitPrice === null)
    return runEntryGates({ ...input, order: null });
  const qty = money(order.qty);
  const limitPrice = money(order.limitPrice);
  const notional = qty.times(limitPrice);
  const refusal = orderRefusal(
    {
      state,
      market,
      policy,
      symbol,
      book,
      strategy,
      limitPrice,
      atr: order.atr,
      stop: null,
      sigma: view.features?.sigma60 ?? null,
      spreadBps: null,
      volumeRoom: null,
    },
    notional,
  );
  return runEntryGates({
    ...input,
    order: proposedOrder(qty, limitPrice, notional, money(view.quote.last)),
    size: { qty, notional, boundBy: "plan", refusal },
  });
}
