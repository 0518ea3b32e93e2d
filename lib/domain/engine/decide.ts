import { money } from "../money.ts";
import type { Policy } from "../policy.ts";
import { openBook } from "../risk/book.ts";
import { exitGates } from "../risk/exit-gates.ts";
import { ProposedOrder } from "../gates/gate.ts";
import { type GateCode, runEntryGates } from "../gates/gates.ts";
import { orderRefusal } from "../sizing.ts";
import { cycleLine } from "./cycle-line.ts";
import { decideEntries, type Judged, ledgerOf } from "./decide-entries.ts";
import { decideExits } from "./decide-exits.ts";
import { drawdownStopOf } from "./drawdown-stop.ts";
import { floorOf, refusalOfStop } from "./entry-price.ts";
import { proposeEntry } from "./propose-entry.ts";
import { openSession, type SessionView } from "./session-view.ts";
import { staleEntries } from "./stale-entries.ts";
import {
  type AccountState,
  ENGINE_VERSION,
  type GateResult,
  type MarketView,
  type Plan,
  type PlannedOrder,
} from "./plan.ts";

/** What a backtest reads of a decision: everything but the verdicts of candidates in words. */
export type Decision = Omit<Plan, "candidates"> & {
  /** Candidates by the first gate that refuses them, in the order of the seats. */
  refusals: ReadonlyMap<GateCode, number>;
};

function refusalsOf(judged: readonly Judged[]): Map<GateCode, number> {
  const refusals = new Map<GateCode, number>();
  const byRank = [...judged].sort((a, b) => (a.proposal.seat?.rank ?? 0) - (b.proposal.seat?.rank ?? 0));
  for (const { refusedBy } of byRank)
    if (refusedBy !== null) refusals.set(refusedBy, (refusals.get(refusedBy) ?? 0) + 1);
  return refusals;
}

function decideAll(
  state: AccountState,
  session: SessionView,
  keepsLedger: boolean,
): { decision: Decision; judged: Judged[] } {
  const { market, policy, fieldOf } = session;
  const exits = decideExits(state, market, policy);
  const selling = exits.orders.map((order, leg) => ({ ...order, leg }));
  const book = { ...openBook(state, market, policy), ordersPlanned: selling.length };
  const entries = decideEntries(state, session, book, selling.length, keepsLedger);
  const orders = [...selling, ...entries.orders];
  const signals = fieldOf(state.preferences.strategy).signalled.length;
  const counts = { screened: market.counts.screened, seated: market.seats.length, signals, orders: orders.length };
  const refusals = refusalsOf(entries.judged);
  const decision: Decision = {
    engineVersion: ENGINE_VERSION,
    policyVersion: policy.version,
    at: market.at,
    orders,
    cancels: staleEntries(state, market, policy),
    reviews: exits.reviews,
    refusals,
    counts,
    latch: drawdownStopOf(state, policy),
    line: cycleLine(session, state, counts, refusals),
  };
  return { decision, judged: entries.judged };
}

/**
 * The whole strategy: what to do for one account at one moment of market time. Pure and deterministic; the order of
 * positions, orders, seats and symbols in the input does not matter. Exits come first, then entries by confidence. Whoever
 * decides for several accounts opens the session once and passes it on.
 */
export function decide(
  state: AccountState,
  market: MarketView,
  policy: Policy,
  session: SessionView = openSession(market, policy),
): Plan {
  const { decision, judged } = decideAll(state, session, true);
  const { engineVersion, policyVersion, at, orders, cancels, reviews, counts, latch, line } = decision;
  const candidates = ledgerOf(state, session, judged);
  return { engineVersion, policyVersion, at, orders, cancels, reviews, candidates, counts, latch, line };
}

/** The same decision without the ledger of its candidates: a candidate is asked no further than the gate that refuses it. */
export function decideOrders(state: AccountState, session: SessionView): Decision {
  return decideAll(state, session, false).decision;
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
  const proposal = proposeEntry({ symbol, view, seat, strategy, confidence }, { state, market, policy, book });
  const { volumeRoom, size } = proposal;
  const asked = { state, market, policy, symbol, book, view, seat, strategy, confidence, volumeRoom };
  if (view === null || view.quote === null || order.limitPrice === null)
    return runEntryGates({ ...asked, order: null, size });
  const qty = money(order.qty);
  const limitPrice = money(order.limitPrice);
  const notional = qty.times(limitPrice);
  const ofStop =
    order.stopLossPrice === null ? null : refusalOfStop(money(order.stopLossPrice), floorOf(limitPrice, view.quote));
  const ofSize = orderRefusal(
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
      // Judged when it was planned; it may be a rotation's, which is planned by the usual spread where a side is missing.
      spreadBps: policy.orders_execution.default_spread_bps,
      volumeRoom: null,
    },
    notional,
  );
  return runEntryGates({
    ...asked,
    order: new ProposedOrder(qty, limitPrice, notional, money(view.quote.last)),
    size: { qty, notional, boundBy: "plan", refusal: ofStop ?? ofSize },
  });
}
