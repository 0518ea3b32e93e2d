import { type GateInput, ProposedOrder } from "../gates/gate.ts";
import { type Money, ZERO } from "../money.ts";
import { boundsOf, sizeEntry, type SizeInput, type SizeResult, smallestOrder } from "../sizing.ts";
import { type EntryPrice, entryPrice, type Legs, legsOf, refusalOfStop } from "./entry-price.ts";

const NO_PRICE: SizeResult = { qty: ZERO, notional: ZERO, boundBy: "price", refusal: "no price" };

/** An entry that is thought of. */
export type Candidate = Pick<GateInput, "symbol" | "view" | "seat" | "strategy" | "confidence">;

/** What it is judged in; `book` has the entries planned before it. */
export type Situation = Pick<GateInput, "state" | "market" | "policy" | "book">;

interface Sized {
  order: ProposedOrder | null;
  size: SizeResult;
  legs: Legs | null;
}

/** One entry in question. Its size is worked out when the first gate asks for it: most candidates are refused before. */
export class Proposal implements GateInput {
  private sized: Sized | null = null;

  constructor(
    private readonly candidate: Candidate,
    private readonly situation: Situation,
    private readonly priced: { price(): EntryPrice | null },
  ) {}

  get symbol() {
    return this.candidate.symbol;
  }
  get view() {
    return this.candidate.view;
  }
  get seat() {
    return this.candidate.seat;
  }
  get strategy() {
    return this.candidate.strategy;
  }
  get confidence() {
    return this.candidate.confidence;
  }
  get state() {
    return this.situation.state;
  }
  get market() {
    return this.situation.market;
  }
  get policy() {
    return this.situation.policy;
  }
  get book() {
    return this.situation.book;
  }

  get price(): EntryPrice | null {
    return this.priced.price();
  }

  get order(): ProposedOrder | null {
    return this.toSize().order;
  }

  get size(): SizeResult {
    return this.toSize().size;
  }

  get legs(): Legs | null {
    return this.toSize().legs;
  }

  get volumeRoom() {
    return this.price?.volumeRoom ?? null;
  }

  private toSize(): Sized {
    if (this.sized !== null) return this.sized;
    const { price } = this;
    return (this.sized = price === null ? { order: null, size: NO_PRICE, legs: null } : sized(this, price));
  }
}

function sized(proposal: Proposal, price: EntryPrice): Sized {
  const { state, market, policy, symbol, book, strategy, view } = proposal;
  const { limit, floor, atr, spreadBps, volumeRoom } = price;
  const legs = legsOf(price, book.amounts);
  const { stop } = legs;
  const sigma = view?.features?.sigma60 ?? null;
  const input: SizeInput = {
    state,
    market,
    policy,
    symbol,
    book,
    strategy,
    limitPrice: limit,
    atr,
    stop,
    sigma,
    spreadBps,
    volumeRoom,
  };
  const bounds = boundsOf(input);
  const own = sizeEntry(input, bounds);
  const refusal = refusalOfStop(stop, floor);
  const size = refusal === null ? own : { ...own, qty: ZERO, notional: ZERO, refusal };
  const order = size.qty.isZero()
    ? smallest(price, smallestOrder(input, bounds))
    : new ProposedOrder(size.qty, limit, size.notional, price.last);
  return { order, size, legs };
}

/** Mostly one share, which every account shares. */
function smallest({ oneShare, limit, last }: EntryPrice, qty: Money): ProposedOrder {
  return qty.eq(1) ? oneShare : new ProposedOrder(qty, limit, qty.times(limit), last);
}

/** Prices one entry and gathers what its gates ask. */
export function proposeEntry(candidate: Candidate, situation: Situation): Proposal {
  const { view, strategy } = candidate;
  const price = view === null ? null : entryPrice(strategy, view, situation.policy);
  return new Proposal(candidate, situation, { price: () => price });
}
