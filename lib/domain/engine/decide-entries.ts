import { type Money, money, priceTick, text, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { type Book, rawToday, reserve, sectorOf } from "../risk/book.ts";
import type { GateInput } from "../risk/gate.ts";
import { failingCodes, runEntryGates } from "../risk/gates.ts";
import { nearestFlip } from "../risk/nearest-flip.ts";
import { sizeEntry, type SizeInput, type SizeResult } from "../sizing.ts";
import {
  confidenceOf,
  entrySignal,
  ownPercentile,
  stopMultiple,
  strategyAtr,
  strengthsOf,
} from "../strategies/strategy.ts";
import type {
  AccountState,
  CandidateVerdict,
  MarketView,
  PlannedOrder,
  SeatView,
  StrategyName,
  SymbolView,
} from "./plan.ts";

const ENTRY_REASONS = {
  MOMENTUM: "entry_momentum",
  MEAN_REVERSION: "entry_mean_reversion",
  BREAKOUT: "entry_breakout",
} as const;

const NO_PRICE: SizeResult = { qty: ZERO, notional: ZERO, boundBy: "price", refusal: "no price" };

interface Signalled {
  seat: SeatView;
  view: SymbolView;
  confidence: number;
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

/** Bid–ask spread in bps of the middle; null without both sides. */
function spreadBps(view: SymbolView): number | null {
  const { quote } = view;
  if (quote === null || quote.bid === null || quote.ask === null) return null;
  const bid = money(quote.bid);
  const ask = money(quote.ask);
  const middle = bid.plus(ask).div(2);
  return middle.lte(0) ? null : Math.max(0, ask.minus(bid).div(middle).times(1e4).toNumber());
}

/** ATR of the strategy's stop in today's raw price. */
function rawAtr(strategy: StrategyName, view: SymbolView): number | null {
  const atr = strategyAtr(strategy, view.features);
  return atr === null
    ? null
    : money(atr)
        .div(view.splitToday ?? "1")
        .toNumber();
}

/** The most an entry may pay, rounded so that it never pays more. Null without a usable price. */
function entryLimit(strategy: StrategyName, view: SymbolView, policy: Policy): Money | null {
  if (view.quote === null || money(view.quote.last).lte(0)) return null;
  let limit: Money;
  if (strategy === "MEAN_REVERSION") {
    const atr = rawAtr(strategy, view);
    if (view.features === null || atr === null) return null;
    limit = rawToday(view.features.close, view).minus(money(atr).times(policy.signals_confidence.reversion_limit_atr));
  } else {
    const offset = money(policy.orders_execution.entry_limit_offset_bps).div(10_000);
    limit = money(view.quote.ask ?? view.quote.last).times(offset.plus(1));
  }
  const tick = priceTick(limit, "down");
  return tick.gt(0) ? tick : null;
}

/** Stop: the tighter of the user's percentage and the strategy's ATR stop. Target: the user's percentage. */
function legsOf(limit: Money, atr: number | null, strategy: StrategyName, state: AccountState, policy: Policy) {
  const part = (percent: string) => money(percent).div(100);
  const ofUser = limit.times(money(1).minus(part(state.preferences.stopLoss)));
  const ofStrategy = atr === null ? ofUser : limit.minus(money(atr).times(stopMultiple(strategy, policy)));
  return {
    stop: priceTick(ofUser.gt(ofStrategy) ? ofUser : ofStrategy, "down"),
    target: priceTick(limit.times(part(state.preferences.profitTarget).plus(1)), "up"),
  };
}

export interface Proposal {
  input: GateInput;
  limit: Money | null;
  stop: Money | null;
  target: Money | null;
  atr: number | null;
}

/** Sizes one entry and gathers what its gates ask. */
export function proposeEntry(
  seat: SeatView | null,
  view: SymbolView | null,
  symbol: string,
  strategy: StrategyName,
  confidence: number | null,
  state: AccountState,
  market: MarketView,
  policy: Policy,
  book: Book,
): Proposal {
  const limit = view === null ? null : entryLimit(strategy, view, policy);
  const common = { state, market, policy, symbol, book, view, seat, strategy, confidence };
  if (view === null || view.quote === null || limit === null) {
    return { input: { ...common, order: null, size: NO_PRICE }, limit: null, stop: null, target: null, atr: null };
  }
  const atr = rawAtr(strategy, view);
  const { stop, target } = legsOf(limit, atr, strategy, state, policy);
  const sizing: SizeInput = {
    state,
    market,
    policy,
    symbol,
    book,
    strategy,
    limitPrice: limit,
    atr,
    sigma: view.features?.sigma60 ?? null,
    spreadBps: spreadBps(view),
  };
  const sized = sizeEntry(sizing);
  const hasLegs = stop.gt(0) && stop.lt(limit) && target.gt(limit);
  const size = hasLegs
    ? sized
    : { ...sized, qty: ZERO, notional: ZERO, refusal: "the stop and the target do not enclose the entry price" };
  const qty = size.qty.gt(0) ? size.qty : money(1);
  const order = { qty, limitPrice: limit, notional: qty.times(limit), decisionPrice: money(view.quote.last) };
  return { input: { ...common, order, size }, limit, stop, target, atr };
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

/** Entries in order of confidence; each takes its slot, sector, gross and buying power before the next is judged. */
export function decideEntries(
  state: AccountState,
  market: MarketView,
  policy: Policy,
  opening: Book,
  firstLeg: number,
): EntryPlan {
  const { strategy } = state.preferences;
  const seats = [...market.seats].sort(bySeat);
  const featuresOf = (symbol: string) => market.symbols[symbol]?.features ?? null;
  const field = strengthsOf(strategy, seats, featuresOf);
  const verdicts = new Map<string, CandidateVerdict>();
  const signalled: Signalled[] = [];
  for (const seat of seats) {
    const view = market.symbols[seat.symbol];
    const features = view?.features ?? null;
    if (view === undefined || features === null) {
      verdicts.set(seat.symbol, silent(seat.symbol, "no features: too few bars or no data", null, null));
      continue;
    }
    const confidence = confidenceOf(seat.composite, ownPercentile(strategy, seat, features, field), policy);
    const signal = entrySignal(strategy, { seat, features, regime: market.regime, policy });
    if (signal.hasSignal) signalled.push({ seat, view, confidence });
    else verdicts.set(seat.symbol, silent(seat.symbol, signal.noSignal ?? "no signal", signal.nearestFlip, confidence));
  }
  const orders: PlannedOrder[] = [];
  let book = opening;
  for (const { seat, view, confidence } of signalled.sort(byConfidence)) {
    const { symbol } = seat;
    const proposal = proposeEntry(seat, view, symbol, strategy, confidence, state, market, policy, book);
    const gates = runEntryGates(proposal.input);
    const failing = failingCodes(gates);
    const { size, order } = proposal.input;
    const passes = failing.length === 0 && order !== null && proposal.stop !== null && proposal.target !== null;
    const leg = passes ? firstLeg + orders.length : null;
    verdicts.set(symbol, {
      symbol,
      hasSignal: true,
      noSignal: null,
      confidence,
      gates,
      failing,
      nearestFlip: nearestFlip(gates, proposal.input),
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
      timeInForce: strategy === "MEAN_REVERSION" ? "day" : "gtc",
      limitPrice: text(order.limitPrice),
      stopPrice: null,
      takeProfitPrice: text(proposal.target!),
      stopLossPrice: text(proposal.stop!),
      decisionPrice: text(order.decisionPrice),
      reason: ENTRY_REASONS[strategy],
      strategy,
      confidence,
      gates,
      atr: proposal.atr,
    });
    book = reserve(book, symbol, sectorOf(symbol, market), order.notional, strategy === "MEAN_REVERSION");
  }
  return { orders, candidates: seats.map(({ symbol }) => verdicts.get(symbol)!) };
}
