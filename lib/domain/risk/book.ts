import type { AccountState, HeldPosition, MarketView, OpenOrderView, SymbolView } from "../engine/plan.ts";
import type { StrategyName } from "../enums.ts";
import { type DecimalText, estimated, greatest, type Money, money, ZERO } from "../money.ts";
import type { Policy } from "../policy.ts";
import { knownSector } from "../sectors.ts";
import { STRATEGIES } from "../strategies/strategies.ts";
import { type AccountAmounts, amountsOf } from "./amounts.ts";
import type { Room } from "./room.ts";

/** What an account already uses of its limits: positions, orders in flight and the entries planned before this one. */
export interface Book {
  amounts: AccountAmounts;
  /** Symbols that take a position slot. */
  symbols: ReadonlySet<string>;
  /** Symbols of positions that are not empty, and of buys in flight: without what is planned. */
  held: ReadonlySet<string>;
  bought: ReadonlySet<string>;
  gross: Money;
  bySymbol: ReadonlyMap<string, Money>;
  bySector: ReadonlyMap<string, Money>;
  /** Value whose sector is unknown: it counts in every sector. */
  unknownSector: Money;
  /** Value of buys in flight. */
  inFlight: Money;
  /** Of it, what the broker's buying power may still hold: intents of which no order is known, and what this plan adds. */
  unreserved: Money;
  /** Of strategies with a limit of their own: sector → number of open positions. */
  counts: ReadonlyMap<StrategyName, ReadonlyMap<string, number>>;
  ordersPlanned: number;
  rooms: KnownRooms;
}

/** Rooms that all candidates of one book share, made when first asked for (limits.ts). */
export interface KnownRooms {
  gross: Room | null;
  buying: Room | null;
  /** What has no sector is under null. */
  sectors: Map<string | null, Room>;
}

function noRooms(): KnownRooms {
  return { gross: null, buying: null, sectors: new Map() };
}

/** The book of an account that holds nothing. */
export function emptyBook(amounts: AccountAmounts): Book {
  return {
    amounts,
    symbols: new Set(),
    held: new Set(),
    bought: new Set(),
    gross: ZERO,
    bySymbol: new Map(),
    bySector: new Map(),
    unknownSector: ZERO,
    inFlight: ZERO,
    unreserved: ZERO,
    counts: new Map(),
    ordersPlanned: 0,
    rooms: noRooms(),
  };
}

/** Last price in today's raw basis: the quote, else the last close brought over today's split; null when neither is known. */
export function lastPrice(view: SymbolView | undefined): Money | null {
  if (view === undefined) return null;
  if (view.quote !== null) return money(view.quote.last);
  return view.features === null ? null : rawToday(view.features.close, view);
}

/** A price of the features' basis in today's raw basis, to the 9 places that are stored. */
export function rawToday(price: number, { splitToday }: SymbolView): Money {
  return splitToday === null ? estimated(price) : money(price).div(splitToday).toDecimalPlaces(9);
}

/**
 * Today's split of a position whose shares and prices are still those of before it, new shares per old: the broker lists a split some
 * time after the market trades in its prices. Null where there is none or it is booked.
 */
export function unbookedSplit(position: HeldPosition, market: MarketView): DecimalText | null {
  const { symbol, openedSession, splitBookedOn } = position;
  const ratio = market.symbols[symbol]?.splitToday ?? null;
  // Shares of today were bought in the new prices. A booking may be dated to the evening before.
  if (ratio === null || openedSession >= market.session.date) return null;
  return splitBookedOn !== undefined && splitBookedOn >= market.barsThrough ? null : ratio;
}

export function positionValue(position: HeldPosition, market: MarketView): Money {
  const qty = money(position.qty);
  const last = lastPrice(market.symbols[position.symbol]);
  if (last === null) return qty.times(position.avgEntryPrice).abs();
  return qty
    .times(unbookedSplit(position, market) ?? 1)
    .times(last)
    .abs();
}

/** What the rest of a buy order may still cost; a market order counts at the last price, and never less than nothing. */
function remainingValue(order: OpenOrderView, market: MarketView): Money {
  const remaining = greatest(ZERO, money(order.qty).minus(order.filledQty));
  return remaining.times(order.limitPrice ?? lastPrice(market.symbols[order.symbol]) ?? ZERO);
}

function add(map: Map<string, Money>, key: string, value: Money): void {
  map.set(key, (map.get(key) ?? ZERO).plus(value));
}

/** Null where it is unknown. */
export function sectorOf(symbol: string, market: MarketView): string | null {
  return knownSector(market.symbols[symbol]?.sector);
}

/** The counts with one more position of a strategy. */
function counting(counts: Book["counts"], strategy: StrategyName | null, sector: string | null): Book["counts"] {
  if (strategy === null || STRATEGIES[strategy].most === undefined) return counts;
  const bySector = new Map(counts.get(strategy));
  bySector.set(sector ?? "", (bySector.get(sector ?? "") ?? 0) + 1);
  return new Map(counts).set(strategy, bySector);
}

/** Positions of a strategy in a sector; what has no sector counts in every one, and may be in the fullest one itself. */
export function placesIn(bySector: ReadonlyMap<string, number>, sector: string | null): number {
  let fullest = 0;
  for (const [name, count] of bySector) if (name !== "") fullest = Math.max(fullest, count);
  const own = sector === null ? fullest : (bySector.get(sector) ?? 0);
  return own + (bySector.get("") ?? 0);
}

/** The book of an account before this plan. */
export function openBook(state: AccountState, market: MarketView, policy: Policy): Book {
  const symbols = new Set<string>();
  const held = new Set<string>();
  const bought = new Set<string>();
  const bySymbol = new Map<string, Money>();
  const bySector = new Map<string, Money>();
  let counts: Book["counts"] = new Map();
  let gross = ZERO;
  let unknownSector = ZERO;
  let inFlight = ZERO;
  let unreserved = ZERO;
  const counted = new Set<string>();
  const count = (symbol: string, strategy: StrategyName | null) => {
    if (strategy === null || counted.has(symbol)) return;
    counted.add(symbol);
    counts = counting(counts, strategy, sectorOf(symbol, market));
  };
  const use = (symbol: string, value: Money) => {
    const sector = sectorOf(symbol, market);
    symbols.add(symbol);
    add(bySymbol, symbol, value);
    gross = gross.plus(value);
    if (sector === null) unknownSector = unknownSector.plus(value);
    else add(bySector, sector, value);
  };
  for (const position of state.positions) {
    if (!money(position.qty).isZero()) held.add(position.symbol);
    use(position.symbol, positionValue(position, market));
    count(position.symbol, position.strategy);
  }
  for (const order of state.openOrders) {
    if (order.side !== "BUY") continue;
    const value = remainingValue(order, market);
    bought.add(order.symbol);
    use(order.symbol, value);
    inFlight = inFlight.plus(value);
    if (order.isUnconfirmed) unreserved = unreserved.plus(value);
    count(order.symbol, order.strategy);
  }
  const empty = emptyBook(amountsOf(state, policy));
  return { ...empty, symbols, held, bought, gross, bySymbol, bySector, unknownSector, inFlight, unreserved, counts };
}

/** The book after one more planned entry. */
export function reserve(book: Book, symbol: string, sector: string | null, value: Money, strategy: StrategyName): Book {
  const bySymbol = new Map(book.bySymbol);
  const bySector = new Map(book.bySector);
  add(bySymbol, symbol, value);
  if (sector !== null) add(bySector, sector, value);
  return {
    amounts: book.amounts,
    symbols: new Set([...book.symbols, symbol]),
    held: book.held,
    bought: book.bought,
    gross: book.gross.plus(value),
    bySymbol,
    bySector,
    unknownSector: sector === null ? book.unknownSector.plus(value) : book.unknownSector,
    inFlight: book.inFlight.plus(value),
    unreserved: book.unreserved.plus(value),
    counts: counting(book.counts, strategy, sector),
    ordersPlanned: book.ordersPlanned + 1,
    rooms: noRooms(),
  };
}
