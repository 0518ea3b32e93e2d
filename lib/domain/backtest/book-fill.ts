import type { RegimeLabel, SideName } from "../enums.ts";
import { riskMultiple } from "../kelly.ts";
import { type Money, money, text } from "../money.ts";
import type { Policy } from "../policy.ts";
import { isStopOut } from "../risk/stop-out.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { Instant, SessionDate } from "../time.ts";
import { applyFill, type ClosedTrip, emptyBook } from "../engine/apply-fill.ts";
import type { Held, Ledger } from "./account.ts";
import { dropLegs } from "./orders.ts";
import type { BacktestOrder, EntryReason } from "./result.ts";
import { fillCost } from "./fill-model.ts";
import type { ExitReason } from "../engine/reasons.ts";

/** What a fill needs to know of its moment. */
export interface FillMoment {
  session: SessionDate;
  at: Instant;
  regime: RegimeLabel;
  policy: Policy;
  featuresOf(symbol: string): FeatureRow | null;
  describe(symbol: string): { name: string; sector: string | null };
  sessionsBetween(from: SessionDate, to: SessionDate): number;
}

/** Volatility of one session, fraction; null when not known. */
export function sigmaDailyOf(features: FeatureRow | null): number | null {
  return features === null || features.sigma60 === null ? null : features.sigma60 / Math.sqrt(252);
}

interface Execution {
  order: BacktestOrder;
  side: SideName;
  qty: Money;
  price: Money;
  reason: ExitReason | EntryReason;
}

/** Books one fill: cash, lots by `applyFill`, costs, the round trip it closes. Answers false when cash does not cover a buy. */
export function bookFill(ledger: Ledger, execution: Execution, moment: FillMoment): boolean {
  const { order, side, qty, price, reason } = execution;
  const { symbol } = order;
  const { session, policy } = moment;
  const features = moment.featuresOf(symbol);
  const sigmaDaily = sigmaDailyOf(features);
  const cost = fillCost({ side, qty, price, adv: features?.adv20 ?? null, sigmaDaily, date: session }, policy);
  const value = qty.times(price);
  if (side === "BUY" && value.plus(cost.total).gt(ledger.cash)) return false;
  const held = ledger.positions.get(symbol);
  const id = `${order.id}:${ledger.fills.length + 1}`;
  const result = applyFill(held?.book ?? emptyBook(symbol), {
    id,
    side,
    qty: text(qty),
    price: text(price),
    fees: text(cost.total),
    at: moment.at,
  });
  const { day } = ledger;
  ledger.cash = (side === "BUY" ? ledger.cash.minus(value) : ledger.cash.plus(value)).minus(cost.total);
  day.fees = day.fees.plus(cost.total);
  day.traded = day.traded.plus(value);
  for (const { proceeds, cost: paid, realizedPnl } of result.closures) {
    day.realised = day.realised.plus(proceeds).minus(paid);
    if (money(realizedPnl).lt(0)) ledger.lossSales.set(symbol, { symbol, session });
  }
  ledger.recentFills.push({ session, symbol, side });
  ledger.fills.push({
    id,
    orderId: order.id,
    session,
    symbol,
    side,
    qty: text(qty),
    price: text(price),
    spreadCost: text(cost.spread),
    impactCost: text(cost.impact),
    fees: text(cost.fees),
    reason,
  });
  if (held !== undefined) held.book = result.book;
  if (held !== undefined && result.trip !== null)
    closeTrip(ledger, symbol, held, result.trip, reason as ExitReason, moment);
  return true;
}

/** The position is flat: its round trip is listed, and no order rests for it. */
function closeTrip(
  ledger: Ledger,
  symbol: string,
  held: Held,
  trip: ClosedTrip,
  reason: ExitReason,
  moment: FillMoment,
): void {
  const { session } = moment;
  const entryValue = money(trip.entryValue);
  const pnlFraction = money(trip.pnl).over(entryValue);
  ledger.trades.push({
    symbol,
    ...moment.describe(symbol),
    strategy: held.strategy,
    opened: held.openedSession,
    closed: session,
    sessionsHeld: moment.sessionsBetween(held.openedSession, session),
    qty: trip.qtyBought,
    entryPrice: text(entryValue.div(trip.qtyBought).toDecimalPlaces(9)),
    exitPrice: text(money(trip.exitValue).div(trip.qtySold).toDecimalPlaces(9)),
    fees: trip.fees,
    pnl: trip.pnl,
    pnlFraction,
    outcome: trip.outcome,
    entryReason: held.entryReason,
    exitReason: reason,
    entryRegime: held.entryRegime,
  });
  if (held.strategy !== null) {
    const multiples = ledger.tripMultiples.get(held.strategy) ?? [];
    ledger.tripMultiples.set(held.strategy, multiples);
    multiples.push(riskMultiple(money(trip.pnl), held.initialRisk));
  }
  if (isStopOut(reason, trip.outcome)) ledger.stopOuts.push({ symbol, session });
  ledger.positions.delete(symbol);
  dropLegs(ledger, symbol, session);
}
