import { type Money, money, priceTick, text, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { rememberTwo } from "../remember.ts";
import { amountsOf } from "../risk/amounts.ts";
import { type Book, lastPrice, rawToday, reserve, sectorOf } from "../risk/book.ts";
import type { GateInput } from "../risk/gate.ts";
import { failingCodes, type KnownGates, runKnownGates } from "../risk/gates.ts";
import { nearestFlip } from "../risk/nearest-flip.ts";
import { exactUsd, isLessUsd, tickOf, type Usd, usd } from "../risk/usd.ts";
import { sizeEntry, type SizeResult } from "../sizing.ts";
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
  PreferencesView,
  SeatView,
  StrategyName,
  SymbolView,
} from "./plan.ts";

const ENTRY_REASONS = {
  MOMENTUM: "entry_momentum",
  MEAN_REVERSION: "entry_mean_reversion",
  BREAKOUT: "entry_breakout",
} as const;

const ONE = money(1);

const NO_PRICE: SizeResult = { qty: ZERO, notional: ZERO, boundBy: "price", refusal: "no price" };

interface Signalled {
  seat: SeatView;
  view: SymbolView;
  confidence: number;
  price: EntryPrice | null;
  /** Gates that read no account, as the first account of each risk level met them. */
  gates: Record<PreferencesView["riskLevel"], KnownGates>;
}

/** What every account with one strategy sees alike. */
interface Field {
  seats: SeatView[];
  silent: ReadonlyMap<string, CandidateVerdict>;
  /** Best first. */
  signalled: readonly Signalled[];
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
export function spreadBps(view: SymbolView): number | null {
  const { quote } = view;
  if (quote === null || quote.bid === null || quote.ask === null) return null;
  const bid = money(quote.bid);
  const ask = money(quote.ask);
  const middle = bid.plus(ask).div(2);
  return middle.lte(0) ? null : Math.max(0, ask.minus(bid).div(middle).times(1e4).toNumber());
}

/** ATR of the strategy's stop in today's raw price. */
export function rawAtr(strategy: StrategyName, view: SymbolView): number | null {
  const atr = strategyAtr(strategy, view.features);
  return atr === null
    ? null
    : money(atr)
        .div(view.splitToday ?? "1")
        .toNumber();
}

interface EntryPrice {
  /** The most an entry may pay, rounded so that it never pays more. */
  limit: Money;
  limitUsd: Usd;
  atr: number | null;
  /** The strategy's stop in raw price, rounded down to the increment; null without an ATR. */
  stop: Usd | null;
  last: Money;
  spreadBps: number | null;
}

/** Prices of an entry that hold for every account; null without a usable price. */
function entryPrice(strategy: StrategyName, view: SymbolView, policy: Policy): EntryPrice | null {
  const last = lastPrice(view);
  if (view.quote === null || last === null || last.lte(0)) return null;
  const atr = rawAtr(strategy, view);
  let limit: Money;
  if (strategy === "MEAN_REVERSION") {
    if (view.features === null || atr === null) return null;
    limit = rawToday(view.features.close, view).minus(money(atr).times(policy.signals_confidence.reversion_limit_atr));
  } else {
    const offset = money(policy.orders_execution.entry_limit_offset_bps).div(10_000);
    limit = money(view.quote.ask ?? view.quote.last).times(offset.plus(1));
  }
  const tick = priceTick(limit, "down");
  if (tick.lte(0)) return null;
  const below = atr === null ? null : tick.minus(money(atr).times(stopMultiple(strategy, policy)));
  const stop = below === null ? null : usd(priceTick(below, "down"));
  return { limit: tick, limitUsd: usd(tick), atr, stop, last, spreadBps: spreadBps(view) };
}

const entryPrices = rememberTwo((view: SymbolView, policy: Policy) => {
  const known = new Map<StrategyName, EntryPrice | null>();
  return (strategy: StrategyName): EntryPrice | null => {
    if (!known.has(strategy)) known.set(strategy, entryPrice(strategy, view, policy));
    return known.get(strategy)!;
  };
});

interface Legs {
  stop: Usd;
  target: Usd;
}

/**
 * Stop: the tighter of the user's percentage and the strategy's ATR stop. Target: the user's percentage. Rounding keeps the
 * order of prices, so that the tighter of two rounded stops is the rounded tighter stop.
 */
function legsOf({ limitUsd, stop }: EntryPrice, state: AccountState, policy: Policy): Legs {
  const { stopFactor, targetFactor } = amountsOf(state, policy);
  const ofUser = tickOf(limitUsd, stopFactor, "down");
  return {
    stop: stop !== null && isLessUsd(ofUser, stop) ? stop : ofUser,
    target: tickOf(limitUsd, targetFactor, "up"),
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
  const price = view === null ? null : entryPrices(view, policy)(strategy);
  const { input, legs } = propose(price, seat, view, symbol, strategy, confidence, state, market, policy, book);
  return {
    input,
    limit: price?.limit ?? null,
    stop: legs === null ? null : exactUsd(legs.stop),
    target: legs === null ? null : exactUsd(legs.target),
    atr: price?.atr ?? null,
  };
}

function propose(
  price: EntryPrice | null,
  seat: SeatView | null,
  view: SymbolView | null,
  symbol: string,
  strategy: StrategyName,
  confidence: number | null,
  state: AccountState,
  market: MarketView,
  policy: Policy,
  book: Book,
): { input: GateInput; legs: Legs | null } {
  if (view === null || price === null) {
    const input = {
      state,
      market,
      policy,
      symbol,
      book,
      view,
      seat,
      strategy,
      confidence,
      order: null,
      size: NO_PRICE,
    };
    return { input, legs: null };
  }
  const { limit, limitUsd, atr } = price;
  const legs = legsOf(price, state, policy);
  const sigma = view.features?.sigma60 ?? null;
  const sized = sizeEntry({
    state,
    market,
    policy,
    symbol,
    book,
    strategy,
    limitPrice: limit,
    atr,
    sigma,
    spreadBps: price.spreadBps,
  });
  const hasLegs = isLessUsd(0, legs.stop) && isLessUsd(legs.stop, limitUsd) && isLessUsd(limitUsd, legs.target);
  const size = hasLegs
    ? sized
    : { ...sized, qty: ZERO, notional: ZERO, refusal: "the stop and the target do not enclose the entry price" };
  const order = size.qty.isZero()
    ? { qty: ONE, limitPrice: limit, notional: limit, decisionPrice: price.last }
    : { qty: size.qty, limitPrice: limit, notional: size.notional, decisionPrice: price.last };
  return { input: { state, market, policy, symbol, book, view, seat, strategy, confidence, order, size }, legs };
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
    const signal = entrySignal(strategy, { seat, features, regime: market.regime, policy });
    if (signal.hasSignal)
      signalled.push({
        seat,
        view,
        confidence,
        price: entryPrices(view, policy)(strategy),
        gates: { LOW: [], MEDIUM: [], HIGH: [] },
      });
    else
      silentOnes.set(seat.symbol, silent(seat.symbol, signal.noSignal ?? "no signal", signal.nearestFlip, confidence));
  }
  return { seats, silent: silentOnes, signalled: signalled.sort(byConfidence) };
}

/** Signals depend on the market, the policy and the strategy alone: worked out once for all accounts of a cycle. */
const fields = rememberTwo((market: MarketView, policy: Policy) => {
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
  const { seats, silent: verdictsOfSilent, signalled } = fields(market, policy)(strategy);
  const verdicts = new Map(verdictsOfSilent);
  const orders: PlannedOrder[] = [];
  let book = opening;
  const ofAccount: KnownGates = [];
  for (const { seat, view, confidence, price, gates: ofMarket } of signalled) {
    const { symbol } = seat;
    const { input, legs } = propose(price, seat, view, symbol, strategy, confidence, state, market, policy, book);
    const gates = runKnownGates(input, ofMarket[riskLevel], ofAccount);
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
      timeInForce: strategy === "MEAN_REVERSION" ? "day" : "gtc",
      limitPrice: text(order.limitPrice),
      stopPrice: null,
      takeProfitPrice: text(exactUsd(legs.target)),
      stopLossPrice: text(exactUsd(legs.stop)),
      decisionPrice: text(order.decisionPrice),
      reason: ENTRY_REASONS[strategy],
      strategy,
      confidence,
      gates,
      atr: price?.atr ?? null,
    });
    book = reserve(book, symbol, sectorOf(symbol, market), order.notional, strategy === "MEAN_REVERSION");
  }
  return { orders, candidates: seats.map(({ symbol }) => verdicts.get(symbol)!) };
}
