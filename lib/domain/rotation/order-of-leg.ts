import { proposeEntry } from "../engine/decide-entries.ts";
import { regate } from "../engine/decide.ts";
import type { AccountState, MarketView, PlannedOrder } from "../engine/plan.ts";
import { least, money, sum, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { openBook } from "../risk/book.ts";
import { exitGates } from "../risk/exit-gates.ts";
import { failingCodes } from "../risk/gates.ts";
import { ownPercentile, confidenceOf, strengthsOf } from "../strategies/strategy.ts";
import type { RotationLegPlan } from "./proposal.ts";

export type LegOrder = { order: PlannedOrder; refusal: null } | { order: null; refusal: string };

function refuse(refusal: string): LegOrder {
  return { order: null, refusal };
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
  if (failing.length > 0) return refuse(`refused by ${failing.join(", ")}`);
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
  const field = strengthsOf(strategy, market.seats, featuresOf);
  const confidence = confidenceOf(seat.composite, ownPercentile(strategy, seat, featuresOf(symbol), field), policy);
  const { limit, stop, target, atr, input } = proposeEntry(
    seat,
    view,
    symbol,
    strategy,
    confidence,
    state,
    market,
    policy,
    // The rooms of the account as it stands now.
    openBook(state, market),
  );
  if (limit === null || stop === null || target === null || input.order === null) return refuse("no price");
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
  const gates = regate(order, state, market, policy);
  const isHeld = state.positions.some((position) => position.symbol === symbol);
  const isInFlight = state.openOrders.some((one) => one.symbol === symbol && one.side === "BUY");
  // A resize adds to what is held: it takes no new place, and holding the symbol is its reason.
  const isResize = leg.kind === "resize" && isHeld && !isInFlight;
  const failing = failingCodes(gates).filter((code) => !isResize || (code !== "duplicate" && code !== "max_positions"));
  return failing.length > 0
    ? refuse(`refused by ${failing.join(", ")}`)
    : { order: { ...order, gates }, refusal: null };
}

/**
 * The order of one approved leg, checked again against the account and the market as they stand now; a stale one is
 * refused with its reason. Sells of a plan are executed, and seen through, before its buys are asked.
 */
export function orderOfLeg(leg: RotationLegPlan, state: AccountState, market: MarketView, policy: Policy): LegOrder {
  const last = market.symbols[leg.symbol]?.quote?.last ?? null;
  if (last === null) return refuse("no price");
  if (money(last).lt(leg.priceGuardLow) || money(last).gt(leg.priceGuardHigh))
    return refuse(`the price ${last} is outside ${leg.priceGuardLow} … ${leg.priceGuardHigh}`);
  return leg.side === "SELL" ? sellOrder(leg, last, state, market) : buyOrder(leg, last, state, market, policy);
}
