import { type Money, money, sum, ZERO } from "./money.ts";
import type { Instant } from "./time.ts";

/** Shares bought in one fill and not yet all sold. Quantities and prices have at most 9 places, as they are stored. */
export interface Lot {
  id: string;
  qtyOpened: Money;
  qtyRemaining: Money;
  /** per share, USD */
  costPrice: Money;
  /** Fees of the opening fill not yet given to a closure, USD. */
  feesRemaining: Money;
  openedAt: Instant;
  /** Order within the account and symbol: FIFO without ties. */
  sequence: number;
}

export interface LotFill {
  qty: Money;
  price: Money;
  fees: Money;
  at: Instant;
}

export interface Closure {
  lotId: string;
  qty: Money;
  proceeds: Money;
  cost: Money;
  /** Of the closing fill and of the opening fill together. */
  fees: Money;
  /** proceeds − cost − fees */
  realizedPnl: Money;
}

const PLACES = 9;

function stored(value: Money): Money {
  return value.toDecimalPlaces(PLACES);
}

/** A lot from a buy. Throws on a quantity that is not positive. */
export function openLot(fill: LotFill & { id: string; sequence: number }): Lot {
  if (fill.qty.lte(0)) throw new RangeError(`a lot needs shares, not ${fill.qty.toFixed()}`);
  return {
    id: fill.id,
    qtyOpened: fill.qty,
    qtyRemaining: fill.qty,
    costPrice: fill.price,
    feesRemaining: fill.fees,
    openedAt: fill.at,
    sequence: fill.sequence,
  };
}

/** `total` shared by quantity in places that can be stored; the last share takes the remainder, so that nothing is lost. */
function shared(total: Money, quantities: Money[]): Money[] {
  const all = sum(quantities);
  const parts = quantities.map((qty) => stored(total.times(qty).div(all)));
  const last = parts.length - 1;
  if (last >= 0) parts[last] = total.minus(sum(parts.slice(0, last)));
  return parts;
}

/**
 * Sells from the oldest lot on (FIFO). Fees of the sell are shared by shares, the remainder goes to the last lot; each lot
 * gives its own opening fees in proportion. `unmatchedQty` is what no lot covered: its part of the fees stays out.
 */
export function closeLots(
  lots: readonly Lot[],
  fill: LotFill,
): { lots: Lot[]; closures: Closure[]; unmatchedQty: Money } {
  if (fill.qty.lte(0)) throw new RangeError(`a sell needs shares, not ${fill.qty.toFixed()}`);
  const queue = [...lots].sort((a, b) => a.sequence - b.sequence);
  const taken: { lot: Lot; qty: Money }[] = [];
  let wanted = fill.qty;
  for (const lot of queue) {
    if (wanted.isZero()) break;
    const qty = lot.qtyRemaining.lt(wanted) ? lot.qtyRemaining : wanted;
    if (qty.isZero()) continue;
    taken.push({ lot, qty });
    wanted = wanted.minus(qty);
  }
  const matched = fill.qty.minus(wanted);
  const sellFees = shared(
    matched.isZero() ? ZERO : stored(fill.fees.times(matched).div(fill.qty)),
    taken.map(({ qty }) => qty),
  );
  const proceeds = shared(
    stored(matched.times(fill.price)),
    taken.map(({ qty }) => qty),
  );
  const left = new Map(queue.map((lot) => [lot.id, lot]));
  const closures = taken.map(({ lot, qty }, i): Closure => {
    const isEmptied = qty.eq(lot.qtyRemaining);
    const openFees = isEmptied ? lot.feesRemaining : stored(lot.feesRemaining.times(qty).div(lot.qtyRemaining));
    if (isEmptied) left.delete(lot.id);
    else
      left.set(lot.id, {
        ...lot,
        qtyRemaining: lot.qtyRemaining.minus(qty),
        feesRemaining: lot.feesRemaining.minus(openFees),
      });
    const cost = stored(qty.times(lot.costPrice));
    const fees = sellFees[i]!.plus(openFees);
    return {
      lotId: lot.id,
      qty,
      proceeds: proceeds[i]!,
      cost,
      fees,
      realizedPnl: proceeds[i]!.minus(cost).minus(fees),
    };
  });
  return { lots: [...left.values()], closures, unmatchedQty: wanted };
}

/** A split multiplies shares and divides cost by `ratio` (new shares per old); fees and the value stay. */
export function splitLots(lots: readonly Lot[], ratio: Money | string): Lot[] {
  const factor = money(ratio);
  if (factor.lte(0)) throw new RangeError(`a split ratio is positive, not ${factor.toFixed()}`);
  return lots.map((lot) => ({
    ...lot,
    qtyOpened: stored(lot.qtyOpened.times(factor)),
    qtyRemaining: stored(lot.qtyRemaining.times(factor)),
    costPrice: stored(lot.costPrice.div(factor)),
  }));
}

export function lotsQty(lots: readonly Lot[]): Money {
  return sum(lots.map(({ qtyRemaining }) => qtyRemaining));
}

/** Cost per share of what is still held, fees apart; null when flat. */
export function averageCost(lots: readonly Lot[]): Money | null {
  const qty = lotsQty(lots);
  if (qty.isZero()) return null;
  return stored(sum(lots.map((lot) => lot.qtyRemaining.times(lot.costPrice))).div(qty));
}
