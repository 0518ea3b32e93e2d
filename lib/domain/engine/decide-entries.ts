import type { StrategyName } from "../enums.ts";
import { type Money, text, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberFew } from "../remember.ts";
import { type Book, reserve, sectorOf } from "../risk/book.ts";
import { type GateInput, type ProposedOrder, proposedOrder } from "../gates/gate.ts";
import { failingCodes, runKnownGates } from "../gates/gates.ts";
import { nearestFlip } from "../gates/nearest-flip.ts";
import { sizeEntry, type SizeResult, smallestOrder } from "../sizing.ts";
import { confidenceOf, ownPercentile, strengthsOf } from "../strategies/confidence.ts";
import { signalFrom } from "../strategies/signal.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { type EntryPrice, entryPrice, type Legs, legsOf } from "./entry-price.ts";
import type {
  AccountState,
  CandidateVerdict,
  GateResult,
  MarketView,
  PlannedOrder,
  PreferencesView,
  SeatView,
  SymbolView,
} from "./plan.ts";
import { entryReason } from "./reasons.ts";

const NO_PRICE: SizeResult = { qty: ZERO, notional: ZERO, boundBy: "price", refusal: "no price" };

interface Signalled {
  seat: SeatView;
  view: SymbolView;
  confidence: number;
  price: EntryPrice | null;
  /** Gates of the scope `seat`, as the first account of each risk level met them. */
  gates: Record<PreferencesView["riskLevel"], GateResult[]>;
}

/** What every account with one strategy sees alike. */
interface Field {
  seats: SeatView[];
  silent: ReadonlyMap<string, CandidateVerdict>;
  /** Best first. */
  signalled: readonly Signalled[];
  /** Gates of the scope `session`. */
  gates: GateResult[];
}

export interface EntryPlan {
  orders: PlannedOrder[];
  candidates: CandidateVerdict[];
}

function bySeat(a: SeatView, b: SeatView): number {
  return a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1);
}

/** Highest confidence first; ties: composite, dollar volume, symbol. */
function byConfidence(a: Signalled, b: Signalled): number {
  return (
    b.confidence - a.confidence ||
    b.seat.composite - a.seat.composite ||
    (b.view.features?.adv20 ?? 0) - (a.view.features?.adv20 ?? 0) ||
    (a.seat.symbol < b.seat.symbol ? -1 : 1)
  );
}

export interface Proposal {
  input: GateInput;
  limit: Money | null;
  stop: Money | null;
  target: Money | null;
  atr: number | null;
}

/** An entry that is thought of. */
export type Candidate = Pick<GateInput, "symbol" | "view" | "seat" | "strategy" | "confidence">;

/** What it is judged in; `book` has the entries planned before it. */
export type Situation = Pick<GateInput, "state" | "market" | "policy" | "book">;

/** Sizes one entry and gathers what its gates ask. */
export function proposeEntry(candidate: Candidate, situation: Situation): Proposal {
  const { view, strategy } = candidate;
  const price = view === null ? null : entryPrice(strategy, view, situation.policy);
  const { input, legs } = propose(price, candidate, situation);
  return {
    input,
    limit: price?.limit ?? null,
    stop: legs?.stop ?? null,
    target: legs?.target ?? null,
    atr: price?.atr ?? null,
  };
}

function propose(
  price: EntryPrice | null,
  candidate: Candidate,
  { state, market, policy, book }: Situation,
): { input: GateInput; legs: Legs | null } {
  const { symbol, view, seat, strategy, confidence } = candidate;
  const inputOf = (order: ProposedOrder | null, size: SizeResult): GateInput => ({
    state,
    market,
    policy,
    symbol,
    book,
    view,
    seat,
    strategy,
    confidence,
    order,
    size,
    volumeRoom: price?.volumeRoom ?? null,
  });
  if (view === null || price === null) return { input: inputOf(null, NO_PRICE), legs: null };
  const { limit, atr, volumeRoom } = price;
  const legs = legsOf(price, book.amounts);
  const sigma = view.features?.sigma60 ?? null;
  const sizing = {
    state,
    market,
    policy,
    symbol,
    book,
    strategy,
    limitPrice: limit,
    atr,
    stop: legs.stop,
    sigma,
    spreadBps: price.spreadBps,
    volumeRoom,
  };
  const sized = sizeEntry(sizing);
  const hasLegs = legs.stop.gt(0) && legs.stop.lt(limit) && legs.target.gt(limit);
  const size = hasLegs
    ? sized
    : { ...sized, qty: ZERO, notional: ZERO, refusal: "the stop and the target do not enclose the entry price" };
  const order = size.qty.isZero()
    ? smallest(price, smallestOrder(sizing))
    : proposedOrder(size.qty, limit, size.notional, price.last);
  return { input: inputOf(order, size), legs };
}

/** Mostly one share, which every account shares. */
function smallest({ oneShare, limit, last }: EntryPrice, qty: Money): ProposedOrder {
  return qty.eq(1) ? oneShare : proposedOrder(qty, limit, qty.times(limit), last);
}

function silent(symbol: string, noSignal: string, flip: string | null, confidence: number | null): CandidateVerdict {
  return {
    symbol,
    hasSignal: false,
    noSignal,
    confidence,
    gates: [],
    failing: [],
    nearestFlip: flip,
    size: null,
    leg: null,
  };
}

function fieldOf(strategy: StrategyName, market: MarketView, policy: Policy): Field {
  const seats = [...market.seats].sort(bySeat);
  const featuresOf = (symbol: string) => market.symbols[symbol]?.features ?? null;
  const field = strengthsOf(strategy, seats, featuresOf);
  const silentOnes = new Map<string, CandidateVerdict>();
  const signalled: Signalled[] = [];
  for (const seat of seats) {
    const view = market.symbols[seat.symbol];
    const features = view?.features ?? null;
    if (view === undefined || features === null) {
      silentOnes.set(seat.symbol, silent(seat.symbol, "no features: too few bars or no data", null, null));
      continue;
    }
    const confidence = confidenceOf(seat.composite, ownPercentile(strategy, seat, features, field), policy);
    const signal = signalFrom(STRATEGIES[strategy].signal({ seat, features, policy }));
    if (signal.hasSignal)
      signalled.push({
        seat,
        view,
        confidence,
        price: entryPrice(strategy, view, policy),
        gates: { LOW: [], MEDIUM: [], HIGH: [] },
      });
    else
      silentOnes.set(seat.symbol, silent(seat.symbol, signal.noSignal ?? "no signal", signal.nearestFlip, confidence));
  }
  return { seats, silent: silentOnes, signalled: signalled.sort(byConfidence), gates: [] };
}

/** Signals depend on the market, the policy and the strategy alone: worked out once for all accounts of a cycle. */
const fields = rememberFew((market: MarketView, policy: Policy) => {
  const known = new Map<StrategyName, Field>();
  return (strategy: StrategyName): Field => {
    let field = known.get(strategy);
    if (field === undefined) known.set(strategy, (field = fieldOf(strategy, market, policy)));
    return field;
  };
});

/** Entries in order of confidence; each takes its slot, sector, gross and buying power before the next is judged. */
export function decideEntries(
  state: AccountState,
  market: MarketView,
  policy: Policy,
  opening: Book,
  firstLeg: number,
): EntryPlan {
  const { strategy, riskLevel } = state.preferences;
  const { seats, silent: verdictsOfSilent, signalled, gates: ofSession } = fields(market, policy)(strategy);
  const verdicts = new Map(verdictsOfSilent);
  const orders: PlannedOrder[] = [];
  let book = opening;
  const ofAccount: GateResult[] = [];
  for (const { seat, view, confidence, price, gates: ofSeat } of signalled) {
    const { symbol } = seat;
    const candidate = { symbol, view, seat, strategy, confidence };
    const { input, legs } = propose(price, candidate, { state, market, policy, book });
    const gates = runKnownGates(input, { session: ofSession, seat: ofSeat[riskLevel], account: ofAccount });
    const failing = failingCodes(gates);
    const { size, order } = input;
    const passes = failing.length === 0 && order !== null && legs !== null;
    const leg = passes ? firstLeg + orders.length : null;
    verdicts.set(symbol, {
      symbol,
      hasSignal: true,
      noSignal: null,
      confidence,
      gates,
      failing,
      nearestFlip: nearestFlip(gates, input),
      size: { qty: text(size.qty), notional: text(size.notional), boundBy: size.boundBy },
      leg,
    });
    if (leg === null || !passes) continue;
    orders.push({
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
    });
    book = reserve(book, symbol, sectorOf(symbol, market), order.notional, strategy);
  }
  return { orders, candidates: seats.map(({ symbol }) => verdicts.get(symbol)!) };
}
