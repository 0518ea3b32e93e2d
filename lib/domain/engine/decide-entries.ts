import { askGates, failingCodes, type GateCode, type Judgement, worded } from "../gates/gates.ts";
import { nearestFlip } from "../gates/nearest-flip.ts";
import { text } from "../money.ts";
import { type Book, reserve, sectorOf } from "../risk/book.ts";
import type { AccountState, CandidateVerdict, GateResult, PlannedOrder } from "./plan.ts";
import { Proposal, type Situation } from "./propose-entry.ts";
import { entryReason } from "./reasons.ts";
import type { SessionView } from "./session-view.ts";

/** A candidate with a signal, judged. */
export interface Judged {
  proposal: Proposal;
  /** All gates in order; those up to the first that refuses where no ledger is kept. */
  gates: Judgement[];
  /** The first gate that refuses; null where none does. */
  refusedBy: GateCode | null;
  /** The leg of the plan that buys it; null when none. */
  leg: number | null;
}

export interface EntryPlan {
  orders: PlannedOrder[];
  /** Best first. */
  judged: Judged[];
}

function entryOrder(proposal: Proposal, gates: GateResult[], leg: number): PlannedOrder | null {
  const { order, legs, symbol, strategy, confidence, price } = proposal;
  if (order === null || legs === null) return null;
  return {
    leg,
    purpose: "ENTRY",
    symbol,
    side: "BUY",
    qty: text(order.qty),
    orderClass: "BRACKET",
    type: "LIMIT",
    // The legs live as long as the entry was allowed to: a stop has to outlive the close.
    timeInForce: "gtc",
    limitPrice: text(order.limitPrice),
    stopPrice: null,
    takeProfitPrice: text(legs.target),
    stopLossPrice: text(legs.stop),
    decisionPrice: text(order.decisionPrice),
    reason: entryReason(strategy),
    strategy,
    confidence,
    gates,
    atr: price?.atr ?? null,
  };
}

/**
 * Entries in order of confidence; each takes its slot, sector, gross and buying power before the next is judged. For a ledger
 * every gate of every candidate is asked; without one a candidate's gates are asked until the first refuses.
 */
export function decideEntries(
  state: AccountState,
  { market, policy, fieldOf }: SessionView,
  opening: Book,
  firstLeg: number,
  keepsLedger: boolean,
): EntryPlan {
  const { strategy, riskLevel } = state.preferences;
  const { signalled, gates: session } = fieldOf(strategy);
  const account: Judgement[] = [];
  const orders: PlannedOrder[] = [];
  const judged: Judged[] = [];
  let situation: Situation = { state, market, policy, book: opening };
  for (const candidate of signalled) {
    const proposal = new Proposal(candidate, situation, candidate);
    const gates = askGates(proposal, { session, account, seat: candidate.gatesAt(riskLevel) }, keepsLedger);
    const refusedBy = failingCodes(gates)[0] ?? null;
    const order = refusedBy === null ? entryOrder(proposal, worded(gates), firstLeg + orders.length) : null;
    judged.push({ proposal, gates, refusedBy, leg: order?.leg ?? null });
    if (order === null || proposal.order === null) continue;
    orders.push(order);
    const { symbol } = candidate;
    const book = reserve(situation.book, symbol, sectorOf(symbol, market), proposal.order.notional, strategy);
    situation = { state, market, policy, book };
  }
  return { orders, judged };
}

function verdictOf({ proposal, gates: judgements, leg }: Judged): CandidateVerdict {
  const { symbol, confidence, size } = proposal;
  const gates = worded(judgements);
  return {
    symbol,
    hasSignal: true,
    noSignal: null,
    confidence,
    gates,
    failing: failingCodes(gates),
    nearestFlip: nearestFlip(gates, proposal),
    size: { qty: text(size.qty), notional: text(size.notional), boundBy: size.boundBy },
    leg,
  };
}

/** The verdicts on all seats, by rank: what the ledger keeps of a decision. */
export function ledgerOf(state: AccountState, { fieldOf }: SessionView, judged: readonly Judged[]): CandidateVerdict[] {
  const { seats, silentVerdicts } = fieldOf(state.preferences.strategy);
  const verdicts = new Map(silentVerdicts());
  for (const judgement of judged) verdicts.set(judgement.proposal.symbol, verdictOf(judgement));
  return seats.map(({ symbol }) => verdicts.get(symbol)!);
}
