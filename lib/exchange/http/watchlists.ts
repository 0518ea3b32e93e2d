import { randomUUID } from "node:crypto";
import { addWatchlist, type ExchangeState, saveWatchlist, takeSeq } from "../book/state.ts";
import { invalid, notFound, unprocessable, textOf } from "../book/refusal.ts";
import type { AccountState, Watchlist } from "../book/types.ts";
import { assetOf, assetWire } from "./assets.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const NAME_MAX = 64;
const LISTS_MAX = 200;

function headWire(watchlist: Watchlist): Record<string, unknown> {
  return {
    id: watchlist.id,
    account_id: watchlist.accountId,
    created_at: watchlist.createdAt,
    updated_at: watchlist.updatedAt,
    name: watchlist.name,
  };
}

function wire(state: ExchangeState, watchlist: Watchlist): Record<string, unknown> {
  const assets = watchlist.symbols.map((symbol) => assetWire(state, assetOf(state, symbol)));
  return { ...headWire(watchlist), assets };
}

function bodyOf(call: TradingCall): Record<string, unknown> {
  if (typeof call.body !== "object" || call.body === null) throw invalid("request body format is invalid");
  return call.body as Record<string, unknown>;
}

function nameOf(accountState: AccountState, value: unknown, except?: Watchlist): string {
  if (typeof value !== "string" || value === "") throw invalid("name is required");
  if (value.length > NAME_MAX) throw invalid(`name must be no more than ${NAME_MAX} characters`);
  if (accountState.watchlists.some((other) => other !== except && other.name === value))
    throw unprocessable("watchlist name must be unique");
  return value;
}

/** Symbols in the client's order, each once. Throws a Refusal on one that is not known. */
function symbolsOf(state: ExchangeState, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid("invalid symbols");
  return [...new Set(value.filter((item) => item !== null).map((item) => assetOf(state, textOf(item)).symbol))];
}

type Finder = (call: TradingCall) => Watchlist;

const byId: Finder = ({ accountState, params }) => {
  const found = accountState.watchlists.find(({ id }) => id === params[0]);
  if (found === undefined) throw notFound(`watchlist not found for ${params[0] ?? ""}`);
  return found;
};

const byName: Finder = ({ accountState, query }) => {
  const name = query.get("name");
  const found = accountState.watchlists.find((watchlist) => watchlist.name === name);
  if (found === undefined) throw notFound(`watchlist not found for ${name ?? ""}`);
  return found;
};

function create(call: TradingCall): Reply {
  const { state, accountState } = call;
  const body = bodyOf(call);
  const name = nameOf(accountState, body.name);
  if (accountState.watchlists.length >= LISTS_MAX) throw unprocessable("too many watchlists");
  const at = state.stamp();
  const watchlist: Watchlist = {
    id: randomUUID(),
    accountId: accountState.account.id,
    seq: takeSeq(state),
    name,
    symbols: symbolsOf(state, body.symbols),
    createdAt: at,
    updatedAt: at,
  };
  addWatchlist(state, watchlist);
  return ok(wire(state, watchlist));
}

/** Changes a list and answers it. */
function changed(
  state: ExchangeState,
  watchlist: Watchlist,
  change: Partial<Pick<Watchlist, "name" | "symbols">>,
): Reply {
  Object.assign(watchlist, change, { updatedAt: state.stamp() });
  saveWatchlist(state, watchlist);
  return ok(wire(state, watchlist));
}

const update = (find: Finder) => (call: TradingCall) => {
  const watchlist = find(call);
  const body = bodyOf(call);
  return changed(call.state, watchlist, {
    ...(body.name !== undefined && { name: nameOf(call.accountState, body.name, watchlist) }),
    ...(body.symbols !== undefined && { symbols: symbolsOf(call.state, body.symbols) }),
  });
};

const append = (find: Finder) => (call: TradingCall) => {
  const watchlist = find(call);
  const { symbol } = assetOf(call.state, textOf(bodyOf(call).symbol ?? ""));
  if (watchlist.symbols.includes(symbol)) throw unprocessable(`duplicate symbol: ${symbol}`);
  return changed(call.state, watchlist, { symbols: [...watchlist.symbols, symbol] });
};

const remove = (find: Finder) => (call: TradingCall) => {
  const watchlist = find(call);
  call.accountState.watchlists.splice(call.accountState.watchlists.indexOf(watchlist), 1);
  call.state.journal.erase("watchlists", watchlist.id);
  return { status: 204 };
};

function removeSymbol(call: TradingCall): Reply {
  const watchlist = byId(call);
  const symbol = call.params[1] ?? "";
  if (!watchlist.symbols.includes(symbol)) throw notFound(`symbol not found for ${symbol}`);
  return changed(call.state, watchlist, { symbols: watchlist.symbols.filter((known) => known !== symbol) });
}

const LIST = "/v2/watchlists/{watchlist_id}";
const NAMED = "/v2/watchlists:by_name";

export const watchlistRoutes: Route[] = [
  trading("GET", "/v2/watchlists", ({ accountState }) => ok(accountState.watchlists.map(headWire))),
  trading("POST", "/v2/watchlists", create),
  trading("GET", LIST, (call) => ok(wire(call.state, byId(call)))),
  trading("PUT", LIST, update(byId)),
  trading("POST", LIST, append(byId)),
  trading("DELETE", LIST, remove(byId)),
  trading("DELETE", `${LIST}/{symbol}`, removeSymbol),
  trading("GET", NAMED, (call) => ok(wire(call.state, byName(call)))),
  trading("PUT", NAMED, update(byName)),
  trading("POST", NAMED, append(byName)),
  trading("DELETE", NAMED, remove(byName)),
];
