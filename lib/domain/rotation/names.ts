import { proposeEntry } from "../engine/propose-entry.ts";
import type { AccountState, HeldPosition, MarketView, SeatView, SymbolView } from "../engine/plan.ts";
import { REASON_TEXT } from "../engine/reasons.ts";
import type { GateCode } from "../gates/gates.ts";
import { exitOfPurchase, exitReason, reviewPosition } from "../exits.ts";
import { type Money, money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { type Book, openBook, positionValue, sectorOf, unbookedSplit } from "../risk/book.ts";
import { convictionLine, strongFamilies } from "../gates/conviction.ts";
import { failingCodes, GATE_OF, runEntryGates } from "../gates/gates.ts";
import { confidenceOf, ownPercentile, strengthsOf } from "../strategies/confidence.ts";

/** A symbol that a rotation may trade for one account. */
export interface RotationName {
  symbol: string;
  view: SymbolView;
  price: Money;
  sector: string | null;
  confidence: number;
  /** Present value, USD. */
  value: Money;
  /** Null for a challenger. */
  position: HeldPosition | null;
  /** Set for a seated name: what its conviction stands on. */
  conviction: { line: number; strongFamilies: number } | null;
  /** Why nothing of it may be bought; null where the gates of an entry let it. */
  refusal: string | null;
}

/** What an account brings to a rotation. */
export interface AccountNames {
  /** With the reason of the exit rule, for people. */
  forced: { name: RotationName; reason: string }[];
  kept: RotationName[];
  /** Best first. */
  challengers: RotationName[];
  /** Value by symbol of what this rotation does not touch: foreign positions, symbols in flight, symbols without a price. */
  untouched: ReadonlyMap<string, Money>;
  /** What no sale of this plan gives back: the account's book as it stands. */
  book: Book;
  skipped: { symbol: string; why: string }[];
}

/**
 * Gates that a rotation asks otherwise: its targets keep the limits, and the moment's own (hours, order rate) are asked
 * again when a leg is executed.
 */
const ASKED_OTHERWISE: ReadonlySet<GateCode> = new Set([
  "market_hours",
  "max_positions",
  "position_value",
  "sector",
  "gross",
  "order_rate",
  "buying_power",
  "size",
]);

/** Not asked of a purchase that adds to a holding: that it is held is its reason. */
const ASKED_OF_NEW: ReadonlySet<GateCode> = new Set(["duplicate"]);

/** Confidence of every seat for the account's strategy; what is not seated keeps only its momentum. */
function confidences(state: AccountState, market: MarketView, policy: Policy): Map<string, number> {
  const { strategy } = state.preferences;
  const featuresOf = (symbol: string) => market.symbols[symbol]?.features ?? null;
  const field = strengthsOf(strategy, market.seats, featuresOf);
  const result = new Map<string, number>();
  for (const { symbol } of state.positions) {
    result.set(symbol, confidenceOf(0, market.symbols[symbol]?.momentumPercentile ?? null, policy));
  }
  for (const seat of market.seats) {
    const percentile = ownPercentile(strategy, seat, featuresOf(seat.symbol), field);
    result.set(seat.symbol, confidenceOf(seat.composite, percentile, policy));
  }
  return result;
}

function refusalOf(
  seat: SeatView | undefined,
  isHeld: boolean,
  confidence: number,
  state: AccountState,
  market: MarketView,
  policy: Policy,
  book: Book,
): string | null {
  if (seat === undefined) return "not seated";
  const { symbol } = seat;
  const view = market.symbols[symbol] ?? null;
  const { strategy } = state.preferences;
  const proposal = proposeEntry({ symbol, view, seat, strategy, confidence }, { state, market, policy, book });
  const isAsked = (code: GateCode) => !ASKED_OTHERWISE.has(code) && !(isHeld && ASKED_OF_NEW.has(code));
  const failing = failingCodes(runEntryGates(proposal)).filter(isAsked);
  if (failing.length > 0) return `refused by ${failing.map((code) => GATE_OF[code].label).join(", ")}`;
  // The gates do not ask for a signal: what comes must not leave again on the bars that it came with.
  return exitOfPurchase(strategy, view, policy);
}

/** Sorts an account's holdings and the seats into what must go, what may stay, what may come, and what is left alone. */
export function accountNames(state: AccountState, market: MarketView, policy: Policy): AccountNames {
  const confidence = confidences(state, market, policy);
  const book = openBook(state, market, policy);
  const untouched = new Map(book.bySymbol);
  const inFlight = new Set(
    state.openOrders.filter(({ role }) => role !== "STOP" && role !== "TARGET").map(({ symbol }) => symbol),
  );
  const forced: AccountNames["forced"] = [];
  const kept: RotationName[] = [];
  const challengers: RotationName[] = [];
  const skipped: AccountNames["skipped"] = [];
  const seatOf = new Map(market.seats.map((seat) => [seat.symbol, seat]));
  const nameOf = (symbol: string, position: HeldPosition | null): RotationName | null => {
    const view = market.symbols[symbol];
    if (view === undefined || view.quote === null || money(view.quote.last).lte(0)) return null;
    const seat = seatOf.get(symbol);
    const itsConfidence = confidence.get(symbol) ?? 0;
    return {
      symbol,
      view,
      price: money(view.quote.last),
      sector: sectorOf(symbol, market),
      confidence: itsConfidence,
      value: position === null ? ZERO : positionValue(position, market),
      position,
      conviction:
        seat === undefined
          ? null
          : { line: convictionLine(state, policy), strongFamilies: strongFamilies(seat, policy) },
      refusal: refusalOf(seat, position !== null, itsConfidence, state, market, policy, book),
    };
  };
  for (const position of [...state.positions].sort((a, b) => (a.symbol < b.symbol ? -1 : 1))) {
    const { symbol } = position;
    if (position.strategy === null || money(position.qty).lte(0)) continue;
    const name = nameOf(symbol, position);
    if (name === null || inFlight.has(symbol)) {
      skipped.push({ symbol, why: name === null ? "no price" : "an order is in flight" });
      continue;
    }
    if (unbookedSplit(position, market) !== null) {
      skipped.push({ symbol, why: "a split of today is not booked yet" });
      continue;
    }
    untouched.delete(symbol);
    const review = reviewPosition(position, market, policy);
    const reason = exitReason(position, review, market, policy, state.preferences);
    if (reason === null) kept.push(name);
    else forced.push({ name, reason: REASON_TEXT[reason] });
  }
  for (const { symbol } of [...market.seats].sort((a, b) => a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1))) {
    if (book.symbols.has(symbol)) continue;
    const name = nameOf(symbol, null);
    if (name?.refusal === null) challengers.push(name);
    else skipped.push({ symbol, why: name?.refusal ?? "no price" });
  }
  challengers.sort((a, b) => b.confidence - a.confidence || (a.symbol < b.symbol ? -1 : 1));
  return { forced, kept, challengers, untouched, book, skipped };
}
