import type { StrategyName } from "../enums.ts";
import type { Judgement } from "../gates/gates.ts";
import type { Policy } from "../policy.ts";
import { confidenceOf, ownPercentile, strengthsOf } from "../strategies/confidence.ts";
import { conditionsOf, hasSignal, type NoSignal, noSignalOf } from "../strategies/signal.ts";
import type { FeatureRow } from "../screening/features.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { clockText } from "../time.ts";
import { type EntryPrice, entryPrice } from "./entry-price.ts";
import type { CandidateVerdict, MarketView, SeatView, SymbolView } from "./plan.ts";
import type { PreferencesView } from "../preferences.ts";

/** A seat that a strategy has a signal for. */
export class Signalled {
  readonly symbol: string;
  private known: EntryPrice | null | undefined;
  private readonly gates: Partial<Record<PreferencesView["riskLevel"], Judgement[]>> = {};

  constructor(
    readonly seat: SeatView,
    readonly view: SymbolView,
    readonly strategy: StrategyName,
    readonly confidence: number,
    private readonly policy: Policy,
  ) {
    this.symbol = seat.symbol;
  }

  /** What an entry costs; made when the first account asks for it. Null without a usable price. */
  price(): EntryPrice | null {
    return this.known === undefined ? (this.known = entryPrice(this.strategy, this.view, this.policy)) : this.known;
  }

  /** Gates of the scope `seat`, as the first account of a risk level met them. */
  gatesAt(riskLevel: PreferencesView["riskLevel"]): Judgement[] {
    return (this.gates[riskLevel] ??= []);
  }
}

/** What every account with one strategy sees alike. */
export interface Field {
  /** By rank. */
  seats: readonly SeatView[];
  /** Verdicts on the seats without a signal, in words: made when the first ledger asks. */
  silentVerdicts: () => ReadonlyMap<string, CandidateVerdict>;
  /** Best first. */
  signalled: readonly Signalled[];
  /** Gates of the scope `session`. */
  gates: Judgement[];
}

/**
 * One market view under one policy, with what is the same for every account: computed once, and shared by all accounts that
 * are decided.
 */
export interface SessionView {
  market: MarketView;
  policy: Policy;
  /** Time of the decision in New York: "10:05". */
  clock: string;
  fieldOf: (strategy: StrategyName) => Field;
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

function fieldOf(strategy: StrategyName, market: MarketView, policy: Policy): Field {
  const seats = [...market.seats].sort(bySeat);
  const featuresOf = (symbol: string) => market.symbols[symbol]?.features ?? null;
  const field = strengthsOf(strategy, seats, featuresOf);
  const { signal } = STRATEGIES[strategy];
  const confidenceIn = (seat: SeatView, features: FeatureRow) =>
    confidenceOf(seat.composite, ownPercentile(strategy, seat, features, field), policy);
  const silent: SeatView[] = [];
  const signalled: Signalled[] = [];
  for (const seat of seats) {
    const view = market.symbols[seat.symbol];
    const features = view?.features ?? null;
    if (view !== undefined && features !== null && hasSignal(signal, { seat, features, policy }))
      signalled.push(new Signalled(seat, view, strategy, confidenceIn(seat, features), policy));
    else silent.push(seat);
  }
  const verdictOn = (seat: SeatView): CandidateVerdict => {
    const { symbol } = seat;
    const features = featuresOf(symbol);
    const { noSignal, nearestFlip } =
      features === null ? NO_FEATURES : noSignalOf(conditionsOf(signal, { seat, features, policy }));
    const confidence = features === null ? null : confidenceIn(seat, features);
    const rest = { gates: [], failing: [], nearestFlip, size: null, leg: null };
    return { symbol, hasSignal: false, noSignal, confidence, ...rest };
  };
  let verdicts: ReadonlyMap<string, CandidateVerdict> | null = null;
  return {
    seats,
    silentVerdicts: () => (verdicts ??= new Map(silent.map((seat) => [seat.symbol, verdictOn(seat)]))),
    signalled: signalled.sort(byConfidence),
    gates: [],
  };
}

const NO_FEATURES: NoSignal = { noSignal: "no features: too few bars or no data", nearestFlip: null };

export function openSession(market: MarketView, policy: Policy): SessionView {
  const fields = new Map<StrategyName, Field>();
  return {
    market,
    policy,
    clock: clockText(market.at),
    fieldOf: (strategy) => {
      let field = fields.get(strategy);
      if (field === undefined) fields.set(strategy, (field = fieldOf(strategy, market, policy)));
      return field;
    },
  };
}
