import { greatest, least, type Money, money } from "../money.ts";
import { movedStop } from "../moved-stop.ts";
import type { RegimeLabel } from "../enums.ts";
import type { Policy } from "../policy.ts";
import type { FeatureRow } from "../screening/features.ts";
import type { Instant, SessionDate } from "../time.ts";
import type { RestingLegs } from "./account.ts";
import { type FillMoment, sigmaDailyOf } from "./book-fill.ts";
import { fillEntry, fillExit, fillLeg } from "./fill-orders.ts";
import { ACCOUNT_ID, barToday, featuresBefore, type Fold, type Today } from "./fold.ts";
import { standardNormal } from "./noise.ts";
import { acceptOrder, closeOrder, restLegs } from "./orders.ts";
import type { BacktestOrder } from "./result.ts";
import {
  bidAfterOpen,
  type DayBar,
  entryFill,
  legFill,
  legFillAtOpen,
  type LegFill,
  priceAfterOpen,
} from "./fill-model.ts";
import type { Decision } from "../engine/decide.ts";
import { refusalOfStop } from "../engine/entry-price.ts";
import type { AccountState, MarketView, PlannedOrder } from "../engine/plan.ts";

class Moment implements FillMoment {
  readonly session: SessionDate;
  readonly regime: RegimeLabel;
  readonly policy: Policy;

  constructor(
    private readonly fold: Fold,
    private readonly today: Today,
    readonly at: Instant,
  ) {
    this.session = today.date;
    this.regime = today.regime.label;
    this.policy = fold.fillPolicy;
  }

  featuresOf(symbol: string): FeatureRow | null {
    const { fold, today } = this;
    const known = featuresBefore(fold, symbol, today.session) ?? fold.lastFeatures.get(symbol) ?? null;
    if (known !== null) fold.lastFeatures.set(symbol, known);
    return known;
  }

  describe(symbol: string): { name: string; sector: string | null } {
    const row = this.fold.input.index.bySymbol.get(symbol);
    return { name: row?.name ?? symbol, sector: row?.sector ?? null };
  }

  sessionsBetween(from: SessionDate, to: SessionDate): number {
    const { sessionAt } = this.fold.input.index;
    return (sessionAt.get(to) ?? 0) - (sessionAt.get(from) ?? 0);
  }
}

function bySymbol<T extends { order: { symbol: string; id: string } }>(rows: Iterable<T>): T[] {
  return [...rows].sort((a, b) =>
    a.order.symbol === b.order.symbol ? (a.order.id < b.order.id ? -1 : 1) : a.order.symbol < b.order.symbol ? -1 : 1,
  );
}

/** Fills the resting legs that the session's bar hits, by symbol: a fill hangs on its own pair and bar alone. */
function fillLegs(
  fold: Fold,
  today: Today,
  moment: FillMoment,
  fillOf: (legs: RestingLegs, bar: DayBar) => LegFill | null,
): void {
  const { ledger } = fold;
  const hit: { order: BacktestOrder; legs: RestingLegs; fill: LegFill }[] = [];
  for (const [symbol, pairs] of ledger.legs) {
    const bar = pairs.length === 0 ? null : barToday(fold, symbol, today);
    if (bar === null) continue;
    for (const legs of pairs) {
      const fill = fillOf(legs, bar);
      if (fill !== null) hit.push({ order: legs.order, legs, fill });
    }
  }
  for (const { legs, fill } of bySymbol(hit)) fillLeg(ledger, legs, fill, moment);
}

/** Legs that rested through the night meet the open. */
export function fillAtOpen(fold: Fold, today: Today): void {
  const moment = new Moment(fold, today, today.opensAt);
  const { slip_bps } = fold.input.policy.orders_execution;
  fillLegs(fold, today, moment, (legs, bar) => legFillAtOpen(legs, bar, slip_bps));
}

interface Met {
  price: Money;
  bar: DayBar;
}

/** What an order of the plan meets: the price some minutes after the open; null where the symbol does not trade. */
function met(fold: Fold, today: Today, order: BacktestOrder, moment: FillMoment): Met | null {
  const bar = barToday(fold, order.symbol, today);
  if (bar === null) return null;
  const { side, symbol } = order;
  const noise = standardNormal(fold.input.seed, `${today.date} ${symbol}`);
  const sigmaDaily = sigmaDailyOf(moment.featuresOf(symbol));
  return { price: priceAfterOpen({ side, bar, sigmaDaily, noise }, fold.fillPolicy), bar };
}

/** The plan meets the market some minutes after the open: sells, and entries that fill within their limit or rest. */
export function submit(fold: Fold, today: Today, plan: Decision): void {
  const { ledger } = fold;
  for (const { symbol, review } of plan.reviews) {
    const held = ledger.positions.get(symbol);
    if (held !== undefined) held.review = review;
  }
  for (const planned of plan.orders) submitOrder(fold, today, planned);
}

/** One planned order meets the market: a sell fills, an entry fills within its limit or rests, unless its stop would sell at once. */
export function submitOrder(fold: Fold, today: Today, planned: PlannedOrder): void {
  const { ledger } = fold;
  const moment = new Moment(fold, today, today.decidedAt);
  const order = acceptOrder(ledger, planned, ACCOUNT_ID, today.date);
  if (planned.purpose !== "ENTRY" && planned.purpose !== "PROTECT")
    return fillExit(ledger, order, met(fold, today, order, moment)?.price ?? null, moment);
  const common = {
    order,
    qty: money(planned.qty),
    stopPrice: money(planned.stopLossPrice!),
    targetPrice: money(planned.takeProfitPrice!),
  };
  if (planned.purpose === "PROTECT") return restLegs(ledger, { ...common, since: today.date, isTrailing: false });
  const limitPrice = money(planned.limitPrice!);
  const entry = { ...common, limitPrice, atr: planned.atr, submittedAt: today.decidedAt };
  const found = met(fold, today, order, moment);
  // The last look before sending, as live: with the spread that decisions see.
  const floor =
    found === null ? limitPrice : least(limitPrice, bidAfterOpen(found.price, found.bar, fold.input.policy));
  if (refusalOfStop(entry.stopPrice, floor) !== null) closeOrder(order, "REJECTED", today.date);
  else if (found === null || found.price.gt(limitPrice)) ledger.entries.push(entry);
  else fillEntry(ledger, entry, found.price, moment);
}

/**
 * Resting stops follow the trailing level of their positions, as the broker's do in a live account. In force from the
 * rest of this session on.
 */
export function moveStops(fold: Fold, state: AccountState, view: MarketView, plan: Decision): void {
  const { ledger, input } = fold;
  const { policy, preferences } = input;
  const isSold = new Set(plan.orders.filter(({ side }) => side === "SELL").map(({ symbol }) => symbol));
  for (const position of state.positions) {
    const { symbol } = position;
    const held = ledger.positions.get(symbol);
    const legs = ledger.legs.get(symbol) ?? [];
    const [first, ...others] = legs;
    if (held === undefined || first === undefined || isSold.has(symbol)) continue;
    const moved = movedStop({
      position,
      review: held.review,
      market: view,
      restingStop: others.reduce((lowest, { stopPrice }) => least(lowest, stopPrice), first.stopPrice),
      policy,
      preferences,
    });
    if (moved === null) continue;
    const stopPrice = money(moved.stopPrice);
    held.stopPrice = greatest(held.stopPrice, stopPrice);
    const targetPrice = money(moved.targetPrice);
    for (const pair of legs) Object.assign(pair, { stopPrice, targetPrice, isTrailing: true });
  }
}

/** The rest of the session: resting entries by the low, then stops and targets. Entries that did not fill are cancelled. */
export function fillInSession(fold: Fold, today: Today): void {
  const { ledger, input } = fold;
  const moment = new Moment(fold, today, today.closesAt);
  for (const entry of bySymbol(ledger.entries)) {
    const bar = barToday(fold, entry.order.symbol, today);
    const price = bar === null ? null : entryFill(entry.limitPrice, bar);
    if (price !== null) fillEntry(ledger, entry, price, moment);
    else closeOrder(entry.order, "CANCELLED", today.date);
  }
  ledger.entries = [];
  const { slip_bps } = input.policy.orders_execution;
  fillLegs(fold, today, moment, (legs, bar) => {
    const isEntryBar = legs.order.purpose === "ENTRY" && legs.since === today.date;
    return legFill(legs, bar, slip_bps, isEntryBar);
  });
}
