import type { Faults } from "../faults.ts";
import type { Market } from "../market/source.ts";
import type { Sessions } from "../market/sessions.ts";
import type { MarketView } from "../market/view.ts";
import type { Journal } from "../store.ts";
import type { OAuthBook, OAuthClient, OAuthToken } from "../oauth/grants.ts";
import { revived } from "./rows.ts";
import {
  type Account,
  type Activity,
  type EquityMark,
  type Fill,
  type AccountState,
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
  accounts: Map<string, AccountState>;
  byKeyId: Map<string, AccountState>;
  orders: Map<string, Order>;
  /** Only symbols with open orders are matched each minute. */
  openBySymbol: Map<string, Set<Order>>;
  /** Only symbols that are not as usual. */
  symbolStates: Map<string, SymbolState>;
  oauth: OAuthBook;
  nextSeq: number;
  /** Market time with nanoseconds that never repeats. */
  stamp(): string;
  /** Called for each new order; used by the faults that depend on an order's age. */
  onAccepted: ((order: Order) => void) | null;
  /** Called with an account whose keys are taken back. */
  onKeysRevoked: ((accountId: string) => void) | null;
  interference?: Interference | undefined;
}

export function accountOf(state: ExchangeState, accountId: string): AccountState {
  const accountState = state.accounts.get(accountId);
  if (accountState === undefined) throw new Error(`no account ${accountId}`);
  return accountState;
}

export function takeSeq(state: ExchangeState): number {
  state.nextSeq += 1;
  return state.nextSeq;
}

export function addAccount(state: ExchangeState, account: Account): AccountState {
  const accountState: AccountState = {
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
  state.accounts.set(account.id, accountState);
  if (!account.standing.areKeysRevoked) state.byKeyId.set(account.keyId, accountState);
  return accountState;
}

/** Puts an order into all indexes. */
export function indexOrder(state: ExchangeState, order: Order): void {
  const accountState = accountOf(state, order.accountId);
  state.orders.set(order.id, order);
  accountState.orders.push(order);
  accountState.byClientId.set(order.clientOrderId, order);
  state.onAccepted?.(order);
  if (isFinal(order)) return;
  accountState.open.add(order);
  let open = state.openBySymbol.get(order.symbol);
  if (open === undefined) state.openBySymbol.set(order.symbol, (open = new Set()));
  open.add(order);
}

/** Writes an order down and drops it from the open ones when it is final. */
export function saveOrder(state: ExchangeState, order: Order): void {
  state.journal.write("orders", order.id, order);
  if (!isFinal(order)) return;
  accountOf(state, order.accountId).open.delete(order);
  const open = state.openBySymbol.get(order.symbol);
  open?.delete(order);
  if (open?.size === 0) state.openBySymbol.delete(order.symbol);
}

export function saveAccount(state: ExchangeState, account: Account): void {
  state.journal.write("accounts", account.id, account);
}

export function savePosition(state: ExchangeState, position: Position): void {
  const accountState = accountOf(state, position.accountId);
  const key = `${position.accountId} ${position.symbol}`;
  if (position.qty.isZero()) {
    accountState.positions.delete(position.symbol);
    state.journal.erase("positions", key);
  } else {
    accountState.positions.set(position.symbol, position);
    state.journal.write("positions", key, position);
  }
}

export function addFill(state: ExchangeState, fill: Fill): void {
  accountOf(state, fill.accountId).fills.push(fill);
  state.journal.write("fills", fill.id, fill);
}

export function addActivity(state: ExchangeState, activity: Activity): void {
  accountOf(state, activity.accountId).activities.push(activity);
  state.journal.write("activities", activity.wire.id, activity);
}

export function addMark(state: ExchangeState, mark: EquityMark): void {
  accountOf(state, mark.accountId).marks.push(mark);
  state.journal.write("equity", `${mark.accountId} ${mark.atMs}`, mark);
}

export function addWatchlist(state: ExchangeState, watchlist: Watchlist): void {
  accountOf(state, watchlist.accountId).watchlists.push(watchlist);
  saveWatchlist(state, watchlist);
}

export function saveWatchlist(state: ExchangeState, watchlist: Watchlist): void {
  state.journal.write("watchlists", watchlist.id, watchlist);
}

/** Rebuilds memory from the stored rows. */
export function loadState(state: ExchangeState, rows: Map<string, Record<string, unknown>[]>): void {
  const of = <T>(table: string) => (rows.get(table) ?? []).map((row) => revived<T>(table, row));
  for (const account of of<Account>("accounts")) addAccount(state, account);
  const orders = of<Order>("orders").sort((a, b) => a.seq - b.seq);
  for (const order of orders) indexOrder(state, order);
  for (const position of of<Position>("positions"))
    accountOf(state, position.accountId).positions.set(position.symbol, position);
  const fills = of<Fill>("fills").sort((a, b) => (a.at < b.at ? -1 : 1));
  for (const fill of fills) accountOf(state, fill.accountId).fills.push(fill);
  const activities = of<Activity>("activities").sort((a, b) => a.seq - b.seq);
  for (const activity of activities) accountOf(state, activity.accountId).activities.push(activity);
  const marks = of<EquityMark>("equity").sort((a, b) => a.atMs - b.atMs);
  for (const mark of marks) accountOf(state, mark.accountId).marks.push(mark);
  const watchlists = of<Watchlist>("watchlists").sort((a, b) => a.seq - b.seq);
  for (const watchlist of watchlists) accountOf(state, watchlist.accountId).watchlists.push(watchlist);
  for (const listing of of<SymbolState>("symbols")) state.symbolStates.set(listing.symbol, listing);
  for (const client of of<OAuthClient>("oauth_clients")) state.oauth.clients.set(client.id, client);
  for (const granted of of<OAuthToken>("oauth_tokens")) state.oauth.tokens.set(granted.token, granted);
  const lists: { seq: number }[][] = [orders, activities, watchlists];
  state.nextSeq = Math.max(0, ...lists.map((list) => list.at(-1)?.seq ?? 0));
}
