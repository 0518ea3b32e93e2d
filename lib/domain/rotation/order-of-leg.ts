import { proposeEntry } from "../engine/propose-entry.ts";
import { regate } from "../engine/decide.ts";
import type { AccountState, GateResult, MarketView, PlannedOrder } from "../engine/plan.ts";
import type { GateCode } from "../gates/gates.ts";
import { least, money, sum, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { exitOfPurchase } from "../exits.ts";
import { openBook } from "../risk/book.ts";
import { exitGates } from "../risk/exit-gates.ts";
import { failingCodes, GATE_OF } from "../gates/gates.ts";
import { ownPercentile, confidenceOf, strengthsOf } from "../strategies/confidence.ts";
import type { RotationLegPlan } from "./proposal.ts";

export type LegOrder =
  | { order: PlannedOrder; refusal: null }
  /** `mayPass`: what is in the way passes by itself; the leg may be asked again until the plan expires. */
  | { order: null; refusal: string; mayPass: boolean };

/** Gates of the moment: a leg waits for them where everything else holds. */
const OF_THE_MOMENT: ReadonlySet<GateCode> = new Set([
  "market_hours",
  "data_stale",
  "provider_disagreement",
  "order_rate",
]);

function refuse(refusal: string, mayPass = false): LegOrder {
  return { order: null, refusal, mayPass };
}

function refuseBy(failing: readonly GateCode[]): LegOrder {
  return refuse(
    `refused by ${failing.map((code) => GATE_OF[code].label).join(", ")}`,
    failing.every((code) => OF_THE_MOMENT.has(code)),
  );
}

/** Why the leg's price is no longer the one it was planned at; null while it is within its guards. */
function outsideGuards({ priceGuardLow, priceGuardHigh }: RotationLegPlan, last: string): string | null {
  const isWithin = money(last).gte(priceGuardLow) && money(last).lte(priceGuardHigh);
  return isWithin ? null : `the price ${last} is outside ${priceGuardLow} … ${priceGuardHigh}`;
}

/**
 * The gates of one leg's order as it stands, the leg's own price guards among them. A resize adds to what is held: it takes no new place, and holding the symbol is
 * its reason, so the two gates that say so warn only. `state` must not contain the order itself.
 */
export function gatesOfLeg(
  leg: RotationLegPlan,
  order: PlannedOrder,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): GateResult[] {
  const last = market.symbols[leg.symbol]?.quote?.last ?? null;
  const outside = last === null ? "no price" : outsideGuards(leg, last);
  const guard: GateResult[] =
    outside === null ? [] : [{ code: "price_collar", passed: false, isWarning: false, margin: null, detail: outside }];
  const gates = [...guard, ...regate(order, state, market, policy)];
  const isHeld = state.positions.some(({ symbol }) => symbol === leg.symbol);
  const isInFlight = state.openOrders.some(({ symbol, side }) => symbol === leg.symbol && side === "BUY");
  if (order.side === "SELL" || leg.kind !== "resize" || !isHeld || isInFlight) return gates;
  return gates.map((gate) =>
    gate.code === "duplicate" || gate.code === "max_positions" ? { ...gate, isWarning: true } : gate,
  );
}

function sellOrder(leg: RotationLegPlan, last: string, state: AccountState, market: MarketView): LegOrder {
  const position = state.positions.find(({ symbol }) => symbol === leg.symbol);
  if (position === undefined) return refuse("no longer held");
  const leaving = sum(
    state.openOrders
      .filter(
        ({ symbol, side, role }) => symbol === leg.symbol && side === "SELL" && ["EXIT", "EXTERNAL"].includes(role),
      )
      .map(({ qty, filledQty }) => money(qty).minus(filledQty)),
  );
  const available = money(position.qty).minus(leaving);
  if (available.lt(leg.qty)) return refuse(`${available.toFixed()} shares are left to sell, the plan sells ${leg.qty}`);
  const gates = exitGates("EXIT", state, market);
  const failing = failingCodes(gates);
  if (failing.length > 0) return refuseBy(failing);
  const order: PlannedOrder = {
    leg: leg.leg,
    purpose: "EXIT",
    symbol: leg.symbol,
    side: "SELL",
    qty: leg.qty,
    orderClass: "SIMPLE",
    type: "MARKET",
    timeInForce: "day",
    limitPrice: null,
    stopPrice: null,
    takeProfitPrice: null,
    stopLossPrice: null,
    decisionPrice: last,
    reason: "rotation",
    strategy: position.strategy,
    confidence: null,
    gates,
    atr: null,
  };
  return { order, refusal: null };
}

function buyOrder(
  leg: RotationLegPlan,
  last: string,
  state: AccountState,
  market: MarketView,
  policy: Policy,
): LegOrder {
  const { symbol } = leg;
  const view = market.symbols[symbol] ?? null;
  const seat = market.seats.find((one) => one.symbol === symbol) ?? null;
  if (seat === null) return refuse("no longer seated");
  const { strategy } = state.preferences;
  const featuresOf = (name: string) => market.symbols[name]?.features ?? null;
  const exit = exitOfPurchase(strategy, view, policy);
  if (exit !== null) return refuse(exit);
  const field = strengthsOf(strategy, market.seats, featuresOf);
  const confidence = confidenceOf(seat.composite, ownPercentile(strategy, seat, featuresOf(symbol), field), policy);
  const {
    price,
    legs,
    order: sized,
  } = proposeEntry(
    { symbol, view, seat, strategy, confidence },
    // The rooms of the account as it stands now.
    { state, market, policy, book: openBook(state, market, policy) },
  );
  if (price === null || legs === null || sized === null) return refuse("no price", true);
  const { limit, atr } = price;
  const { stop, target } = legs;
  const limitPrice = least(limit, money(leg.priceGuardHigh));
  if (stop.gte(limitPrice) || target.lte(limitPrice))
    return refuse("the stop and the target do not enclose the entry price");
  const order: PlannedOrder = {
    leg: leg.leg,
    purpose: "ENTRY",
    symbol,
    side: "BUY",
    qty: leg.qty,
    orderClass: "BRACKET",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: text(limitPrice),
    stopPrice: null,
    takeProfitPrice: text(target),
    stopLossPrice: text(stop),
    decisionPrice: last,
    reason: "rotation",
    strategy,
    confidence,
    gates: [],
    atr,
  };
  const gates = gatesOfLeg(leg, order, state, market, policy);
  const failing = failingCodes(gates);
  return failing.length > 0 ? refuseBy(failing) : { order: { ...order, gates }, refusal: null };
}

/**
 * The order of one approved leg, checked again against the account and the market as they stand now; a stale one is
 * refused with its reason. Sells of a plan are executed, and seen through, before its buys are asked.
 */
export function orderOfLeg(leg: RotationLegPlan, state: AccountState, market: MarketView, policy: Policy): LegOrder {
  const view = market.symbols[leg.symbol];
  if (view === undefined) return refuse(leg.side === "SELL" ? "no longer held" : "no longer seated");
  const last = view.quote?.last ?? null;
  if (last === null) return refuse("no price", true);
  const outside = outsideGuards(leg, last);
  if (outside !== null) return refuse(outside);
  return leg.side === "SELL" ? sellOrder(leg, last, state, market) : buyOrder(leg, last, state, market, policy);
}
