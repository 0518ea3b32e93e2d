import { readOrderRequest } from "../book/order-request.ts";
import { orderWire } from "../book/order-wire.ts";
import { cancelOrder, placeOrder } from "../book/orders.ts";
import { Refusal, invalid, notFound } from "../book/refusal.ts";
import { replaceOrder } from "../book/replace.ts";
import { isFinal, type Order, type Stamp } from "../book/types.ts";
import { dateOf, stampOf } from "./dates.ts";
import { flagOf } from "./flag.ts";
import { ok, type Reply, type Route, trading, type TradingCall } from "./router.ts";

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

/** An instant of the query, or a day's midnight in UTC; null where there is none. */
function boundOf(query: URLSearchParams, name: string): Stamp | null {
  const value = query.get(name);
  if (value === null || value === "") return null;
  const date = dateOf(value);
  const stamp = stampOf(date === null ? value : `${date}T00:00:00Z`);
  if (stamp === null) throw invalid(`invalid ${name}`);
  return stamp;
}

function orderNamed({ state, accountState }: TradingCall, id: string): Order {
  const order = state.orders.get(id);
  if (order === undefined || order.accountId !== accountState.account.id) throw notFound(`order not found for ${id}`);
  return order;
}

const orderOf = (call: TradingCall) => orderNamed(call, call.params[0] ?? "");

const isNested = (call: TradingCall) => flagOf(call.query, "nested");

function limitOf(query: URLSearchParams): number {
  const limit = Number(query.get("limit") ?? LIMIT_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1) throw invalid("invalid limit");
  return Math.min(LIMIT_MAX, limit);
}

/** The filter by state: a group counts as open while any of its orders is. */
function statusFilter(call: TradingCall): (order: Order) => boolean {
  const status = call.query.get("status") ?? "open";
  if (!["open", "closed", "all"].includes(status)) throw invalid(`invalid status: ${status}`);
  if (status === "all") return () => true;
  const isOpen = (order: Order): boolean =>
    !isFinal(order) || (isNested(call) && order.legIds.some((id) => isOpen(call.state.orders.get(id) as Order)));
  return status === "open" ? isOpen : (order) => !isOpen(order);
}

function listOrders(call: TradingCall): Reply {
  const { state, accountState, query } = call;
  const after = boundOf(query, "after");
  const until = boundOf(query, "until");
  const beforeId = query.get("before_order_id");
  const afterId = query.get("after_order_id");
  if (beforeId !== null && afterId !== null)
    throw invalid("only one of before_order_id and after_order_id is accepted");
  if ((beforeId ?? afterId) !== null && (after ?? until) !== null)
    throw invalid("order ids and times cannot be combined");
  const seqOf = (id: string | null) => (id === null ? null : orderNamed(call, id).seq);
  const beforeSeq = seqOf(beforeId);
  const afterSeq = seqOf(afterId);
  const symbols = query.get("symbols");
  const wanted = symbols === null || symbols === "" ? null : new Set(symbols.split(","));
  const side = query.get("side") ?? "";
  if (!["", "buy", "sell"].includes(side)) throw invalid(`invalid side: ${side}`);
  const classes = query.get("asset_class") ?? "";
  const direction = query.get("direction") ?? "desc";
  if (direction !== "asc" && direction !== "desc") throw invalid(`invalid direction: ${direction}`);
  const fits = statusFilter(call);
  const limit = limitOf(query);
  const isAscending = direction === "asc";
  if (classes !== "" && !classes.split(",").some((name) => name === "us_equity" || name === "all")) return ok([]);

  const found: Order[] = [];
  const all = accountState.orders;
  for (let i = 0; i < all.length && found.length < limit; i += 1) {
    const order = all[isAscending ? i : all.length - 1 - i] as Order;
    if (isNested(call) && order.parentId !== null) continue;
    if (after !== null && order.submittedAt <= after) continue;
    if (until !== null && order.submittedAt >= until) continue;
    if (beforeSeq !== null && order.seq >= beforeSeq) continue;
    if (afterSeq !== null && order.seq <= afterSeq) continue;
    if (wanted !== null && !wanted.has(order.symbol)) continue;
    if (side !== "" && order.side !== side) continue;
    if (fits(order)) found.push(order);
  }
  return ok(found.map((order) => orderWire(state, order, isNested(call))));
}

function byClientOrderId({ state, accountState, query }: TradingCall): Reply {
  const id = query.get("client_order_id") ?? "";
  const order = accountState.byClientId.get(id);
  if (order === undefined) throw notFound(`order not found for ${id}`);
  return ok(orderWire(state, order, true));
}

function cancelAll({ state, accountState }: TradingCall): Reply {
  const results: { id: string; status: number }[] = [];
  for (const order of [...accountState.open]) {
    if (!isFinal(order)) cancelOrder(state, order);
    results.push({ id: order.id, status: 200 });
  }
  return { status: 207, body: results };
}

export const orderRoutes: Route[] = [
  trading("POST", "/v2/orders", ({ state, accountState, body }) =>
    ok(placeOrder(state, accountState, readOrderRequest(body))),
  ),
  trading("GET", "/v2/orders", listOrders),
  trading("DELETE", "/v2/orders", cancelAll),
  trading("GET", "/v2/orders:by_client_order_id", byClientOrderId),
  trading("GET", "/v2/orders/{order_id}", (call) => ok(orderWire(call.state, orderOf(call), isNested(call)))),
  trading("PATCH", "/v2/orders/{order_id}", (call) => {
    const order = orderOf(call);
    if (typeof call.body !== "object" || call.body === null)
      throw new Refusal(400, 40010000, "request body format is invalid");
    return ok(replaceOrder(call.state, call.accountState, order, call.body as Record<string, unknown>));
  }),
  trading("DELETE", "/v2/orders/{order_id}", (call) => {
    cancelOrder(call.state, orderOf(call));
    return { status: 204 };
  }),
];
