import type { Faults } from "../faults.ts";
import type { Market } from "../market/source.ts";
import type { Sessions } from "../market/sessions.ts";
import type { MarketView } from "../market/view.ts";
import type { Journal } from "../store.ts";
import { revived } from "./rows.ts";
import {
  type Account,
  type Activity,
  type EquityMark,
  type Fill,
  type Holder,
  isFinal,
  type Order,
  type Position,
  type SymbolState,
  type Watchlist,
} from "./types.ts";

/** What a scripted fault may do at the venue; without one the venue behaves. */
export interface Interference {
  /** The venue refuses to replace the order: the reply is a new order, which is then rejected. */
  refusesReplace(order: Order): boolean;
  /** An execution overtakes the cancel: the order fills instead. */
  fillsBeforeCancel(order: Order): boolean;
  /** The most shares that one execution of the order may take; null when there is no such limit. */
  sharesAtMost(order: Order): number | null;
  /** The venue ends an order as soon as it is live: rejects or cancels it. False leaves it alone. */
  endsOnArrival(order: Order): boolean;
}

/** The whole state of the exchange in one place; every book function takes it first. */
export interface ExchangeState {
  market: Market;
  sessions: Sessions;
  view: MarketView;
  journal: Journal;
  faults: Faults;
  holders: Map<string, Holder>;
  byKeyId: Map<string, Holder>;
  orders: Map<string, Order>;
  /** Only symbols with open orders are matched each minute. */
  openBySymbol: Map<string, Set<Order>>;
  /** Only symbols that are not as usual. */
  symbolStates: Map<string, SymbolState>;
  nextSeq: number;
  /** Market time with nanoseconds that never repeats. */
  stamp(): string;
  /** Told of each new order; used by the faults that depend on an order's age. */
  onAccepted: ((order: Order) => void) | null;
  interference?: Interference | undefined;
}

export function holderOf(desk: ExchangeState, accountId: string): Holder {
  const holder = desk.holders.get(accountId);
  if (holder === undefined) throw new Error(`no account ${accountId}`);
  return holder;
}

export function takeSeq(desk: ExchangeState): number {
  desk.nextSeq += 1;
  return desk.nextSeq;
}

export function addHolder(desk: ExchangeState, account: Account): Holder {
  const holder: Holder = {
    account,
    positions: new Map(),
    orders: [],
    byClientId: new Map(),
    open: new Set(),
    fills: [],
    activities: [],
    marks: [],
    watchlists: [],
    used: new Map(),
  };
  desk.holders.set(account.id, holder);
  if (!account.standing.areKeysRevoked) desk.byKeyId.set(account.keyId, holder);
  return holder;
}

/** Puts an order into all indexes. */
export function indexOrder(desk: ExchangeState, order: Order): void {
  const holder = holderOf(desk, order.accountId);
  desk.orders.set(order.id, order);
  holder.orders.push(order);
  holder.byClientId.set(order.clientOrderId, order);
  desk.onAccepted?.(order);
  if (isFinal(order)) return;
  holder.open.add(order);
  let open = desk.openBySymbol.get(order.symbol);
  if (open === undefined) desk.openBySymbol.set(order.symbol, (open = new Set()));
  open.add(order);
}

/** Writes an order down and drops it from the open ones when it is final. */
export function saveOrder(desk: ExchangeState, order: Order): void {
  desk.journal.write("orders", order.id, order);
  if (!isFinal(order)) return;
  holderOf(desk, order.accountId).open.delete(order);
  const open = desk.openBySymbol.get(order.symbol);
  open?.delete(order);
  if (open?.size === 0) desk.openBySymbol.delete(order.symbol);
}

export function saveAccount(desk: ExchangeState, account: Account): void {
  desk.journal.write("accounts", account.id, account);
}

export function savePosition(desk: ExchangeState, position: Position): void {
  const holder = holderOf(desk, position.accountId);
  const key = `${position.accountId} ${position.symbol}`;
  if (position.qty.isZero()) {
    holder.positions.delete(position.symbol);
    desk.journal.erase("positions", key);
  } else {
    holder.positions.set(position.symbol, position);
    desk.journal.write("positions", key, position);
  }
}

export function addFill(desk: ExchangeState, fill: Fill): void {
  holderOf(desk, fill.accountId).fills.push(fill);
  desk.journal.write("fills", fill.id, fill);
}

export function addActivity(desk: ExchangeState, activity: Activity): void {
  holderOf(desk, activity.accountId).activities.push(activity);
  desk.journal.write("activities", activity.wire.id, activity);
}

export function addMark(desk: ExchangeState, mark: EquityMark): void {
  holderOf(desk, mark.accountId).marks.push(mark);
  desk.journal.write("equity", `${mark.accountId} ${mark.atMs}`, mark);
}

export function addWatchlist(desk: ExchangeState, watchlist: Watchlist): void {
  holderOf(desk, watchlist.accountId).watchlists.push(watchlist);
  saveWatchlist(desk, watchlist);
}

export function saveWatchlist(desk: ExchangeState, watchlist: Watchlist): void {
  desk.journal.write("watchlists", watchlist.id, watchlist);
}

/** Rebuilds memory from the stored rows. */
export function loadState(desk: ExchangeState, rows: Map<string, Record<string, unknown>[]>): void {
  const of = <T>(table: string) => (rows.get(table) ?? []).map((row) => revived<T>(table, row));
  for (const account of of<Account>("accounts")) addHolder(desk, account);
  const orders = of<Order>("orders").sort((a, b) => a.seq - b.seq);
  for (const order of orders) indexOrder(desk, order);
  for (const position of of<Position>("positions"))
    holderOf(desk, position.accountId).positions.set(position.symbol, position);
  const fills = of<Fill>("fills").sort((a, b) => (a.at < b.at ? -1 : 1));
  for (const fill of fills) holderOf(desk, fill.accountId).fills.push(fill);
  const activities = of<Activity>("activities").sort((a, b) => a.seq - b.seq);
  for (const activity of activities) holderOf(desk, activity.accountId).activities.push(activity);
  const marks = of<EquityMark>("equity").sort((a, b) => a.atMs - b.atMs);
  for (const mark of marks) holderOf(desk, mark.accountId).marks.push(mark);
  const watchlists = of<Watchlist>("watchlists").sort((a, b) => a.seq - b.seq);
  for (const watchlist of watchlists) holderOf(desk, watchlist.accountId).watchlists.push(watchlist);
  for (const state of of<SymbolState>("symbols")) desk.symbolStates.set(state.symbol, state);
  const lists: { seq: number }[][] = [orders, activities, watchlists];
  desk.nextSeq = Math.max(0, ...lists.map((list) => list.at(-1)?.seq ?? 0));
}
