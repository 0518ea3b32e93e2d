import { byText } from "@/lib/domain/text-order.ts";
import { addDays, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import type { BrokerKeys } from "../context.ts";
import { activityFromWire, executionFromWire } from "./alpaca-activities.ts";
import { allActivities, allOrders } from "./alpaca-lists.ts";
import { accountFromWire, clockFromWire, otherPositionsFromWire, positionsFromWire } from "./alpaca-mapping.ts";
import { createAlpacaOrders } from "./alpaca-orders.ts";
import { alpacaApi, createAlpacaRequests } from "./alpaca-requests.ts";
import { followTradeUpdates, type StreamTimes } from "./alpaca-stream.ts";
import type { Broker, BrokerActivity, BrokerExecution, OtherAssets } from "./broker.ts";
import { createRequestBudget, type RequestBudget } from "./request-budget.ts";
import { createLocalBucket } from "./token-bucket.ts";

const REQUEST_TIMEOUT_MS = 10_000;

export interface AlpacaOptions {
  /** "https://paper-api.alpaca.markets", or the practice market's address. */
  tradingUrl: string;
  keys: BrokerKeys;
  /** For the whole request, the answer's body included. */
  timeoutMs?: number;
  /** Shared by everything that talks for the account; the broker's own minute when absent. */
  budget?: RequestBudget;
  streamTimes?: Partial<StreamTimes>;
}

/**
 * The broker behind Alpaca's own SDK. The SDK marshals requests and classifies failures; answers are
 * parsed from the wire by alpaca-mapping, because the SDK's models lose fields. Its retries, its limiter
 * and its timeout stay off: an order is sent once, one timeout covers request and body, and the budget in
 * front lets what is urgent go first.
 */
export function createAlpacaBroker({
  tradingUrl,
  keys,
  timeoutMs = REQUEST_TIMEOUT_MS,
  budget = createRequestBudget(createLocalBucket()),
  streamTimes = {},
}: AlpacaOptions): Broker {
  const api = alpacaApi(tradingUrl, keys);
  const requests = createAlpacaRequests(budget, timeoutMs);
  const { read, findOrder } = requests;
  /** By id, so that an order that several lists name counts once; positions as they stood in the latest list. */
  const others = {
    orders: new Map<string, OtherAssets["orders"][number]>(),
    positions: [] as OtherAssets["positions"],
  };
  const ordersOf = (status: "open" | "all", since: Instant | null) =>
    allOrders(requests, api, status, since, (order) => others.orders.set(order.id, order));

  return {
    account: () => read("account", (init) => api.account.getAccountRaw(init), accountFromWire),
    // A sale that cancelled its stops waits for this one.
    positions: () =>
      read(
        "positions",
        (init) => api.positions.getAllOpenPositionsRaw(init),
        (wire) => {
          others.positions = otherPositionsFromWire(wire);
          return positionsFromWire(wire);
        },
        "exit",
      ),
    otherAssets: () => ({ orders: [...others.orders.values()], positions: others.positions }),
    clock: () => read("clock", (init) => api.clock.legacyClockRaw(init), clockFromWire),
    ...createAlpacaOrders(requests, api),
    order: (orderId) => findOrder("order", (init) => api.orders.getOrderByOrderIDRaw({ orderId, nested: true }, init)),
    ordersSince: (since) => ordersOf("all", since),
    openOrders: () => ordersOf("open", null),
    async executionsSince(since: Instant | null): Promise<BrokerExecution[]> {
      const after = since === null ? null : new Date(since);
      const rows = await allActivities(requests, api, { activityTypes: ["FILL"] }, after, executionFromWire);
      const executions = rows.map(({ execution }) => execution);
      return executions.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    },
    async activitiesSince(since: SessionDate | null): Promise<BrokerActivity[]> {
      // The broker's edge is an instant; a day of room, then the exact date here.
      const after = since === null ? null : new Date(`${addDays(since, -2)}T00:00:00.000Z`);
      const rows = await allActivities(requests, api, { category: "non_trade_activity" }, after, activityFromWire);
      return rows
        .map(({ activity }) => activity)
        .filter(({ date }) => since === null || date >= since)
        .sort((a, b) => byText(a.date, b.date));
    },
    tradeUpdates: (handlers) => followTradeUpdates(tradingUrl, keys, handlers, streamTimes),
  };
}
