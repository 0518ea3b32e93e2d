import type { ExchangeState } from "../book/state.ts";
import type { AccountState } from "../book/types.ts";
import type { Subject } from "../faults/match.ts";

/** Nothing where it cannot be decoded; its route refuses it. */
function symbolsIn(segment: string): string[] {
  try {
    return [decodeURIComponent(segment)];
  } catch {
    return [];
  }
}

/** The symbols that a path names: of an order, a position, or market data. */
function symbolsInPath(state: ExchangeState, path: string): string[] {
  const [, version, room, name] = path.split("/");
  if (version !== "v2" || name === undefined) return [];
  if (room === "orders") {
    const symbol = state.orders.get(name)?.symbol;
    return symbol === undefined ? [] : [symbol];
  }
  return room === "positions" || room === "stocks" || room === "assets" ? symbolsIn(name) : [];
}

/** What a request is about, so far as its keys, path, query and body tell. */
export function subjectOfRequest(
  state: ExchangeState,
  accountState: AccountState | null,
  url: URL,
  body: unknown,
): Subject {
  const fields = (typeof body === "object" && body !== null ? body : {}) as {
    symbol?: unknown;
    client_order_id?: unknown;
  };
  const asked = [url.searchParams.get("symbols"), url.searchParams.get("symbol")];
  const symbols = asked.flatMap((list) => (list === null || list === "" ? [] : list.split(",")));
  if (typeof fields.symbol === "string") symbols.push(fields.symbol);
  symbols.push(...symbolsInPath(state, url.pathname));
  const order = url.pathname.startsWith("/v2/orders/") ? state.orders.get(url.pathname.slice(11)) : undefined;
  const clientOrderId =
    typeof fields.client_order_id === "string"
      ? fields.client_order_id
      : (url.searchParams.get("client_order_id") ?? order?.clientOrderId);
  return {
    accountId: accountState?.account.id,
    accountNumber: accountState?.account.accountNumber,
    symbols,
    clientOrderId,
  };
}
