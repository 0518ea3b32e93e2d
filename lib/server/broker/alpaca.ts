import { trading } from "@alpacahq/alpaca-trade-api";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import type { BrokerKeys } from "../context.ts";
import { cancelFailure, isNotFound, mayBeDuplicate, readFailure, submitFailure, throttleOf } from "./alpaca-errors.ts";
import { activityFromWire, executionFromWire } from "./alpaca-activities.ts";
import {
  accountFromWire,
  clockFromWire,
  orderFromWire,
  ordersFromWire,
  otherPositionsFromWire,
  orderToSdk,
  positionsFromWire,
} from "./alpaca-mapping.ts";
import { followTradeUpdates, type StreamTimes } from "./alpaca-stream.ts";
import { createRequestBudget, type RequestBudget } from "./request-budget.ts";
import { createLocalBucket, type Priority } from "./token-bucket.ts";
import type {
  Broker,
  BrokerActivity,
  BrokerExecution,
  BrokerOrder,
  CancelOutcome,
  OrderRequest,
  OtherAssets,
  ReplaceOutcome,
  SubmitOutcome,
} from "./broker.ts";
import { otherClassOfRow } from "./other-assets.ts";

const ORDER_PAGE = 500;
const ACTIVITY_PAGE = 100;
/** An endless list of pages means that the broker repeats itself. */
const MOST_PAGES = 1_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** An order is marked before it is sent: it waits for the budget no longer than its mark stays fresh. */
const SUBMIT_PATIENCE_MS = 400;
/** Longer than the longest wait that a broker is granted. */
const PATIENCE_MS = 65_000;
/** A request that the broker throttled was not served: asked again so often at most. */
const MOST_AGAIN = 2;
/** Our own budget was used up: the order was not sent. */
const OWN_WAIT_MS = 1_000;

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

type Request = (init: { signal: AbortSignal }) => Promise<{ raw: Response }>;

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
  const configuration = new trading.Configuration({
    basePath: tradingUrl,
    keyId: keys.keyId,
    secret: keys.secret,
    timeoutMs: 0,
  });
  const api = {
    account: new trading.AccountsApi(configuration),
    activities: new trading.AccountActivitiesApi(configuration),
    clock: new trading.ClockApi(configuration),
    orders: new trading.OrdersApi(configuration),
    positions: new trading.PositionsApi(configuration),
  };

  /** One request, once, within the timeout; answers the parsed JSON body, or null for an empty one. */
  async function once(request: Request): Promise<unknown> {
    const abort = new AbortController();
    const timer = setTimeout(
      () => abort.abort(new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError")),
      timeoutMs,
    );
    try {
      const { raw } = await request({ signal: abort.signal });
      const body = await raw.text();
      return body === "" ? null : (JSON.parse(body) as unknown);
    } catch (error) {
      const waitMs = throttleOf(error);
      if (waitMs !== null) budget.pause(waitMs);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** A request that may be asked again, because a throttled one was never served. Waits its turn in the budget. */
  async function inTurn(priority: Priority, request: Request): Promise<unknown> {
    for (let again = 0; ; again += 1) {
      if (!(await budget.take(priority, PATIENCE_MS)))
        throw new Failure("broker_unavailable", "Too many requests for this account.", { retryAfterMs: OWN_WAIT_MS });
      try {
        return await once(request);
      } catch (error) {
        if (again >= MOST_AGAIN || throttleOf(error) === null) throw error;
      }
    }
  }

  async function read<T>(request: Request, parse: (wire: unknown) => T, priority: Priority = "reading"): Promise<T> {
    try {
      return parse(await inTurn(priority, request));
    } catch (error) {
      throw readFailure(error);
    }
  }

  /** One order, or null where the broker knows none. A user waits for it: it has priority over all other reads. */
  async function findOrder(request: Request): Promise<BrokerOrder | null> {
    try {
      const wire = await inTurn("lookup", request);
      return otherClassOfRow(wire) === null ? orderFromWire(wire) : null;
    } catch (error) {
      if (isNotFound(error)) return null;
      throw readFailure(error);
    }
  }

  /** By id, so that an order that several lists name counts once; positions as they stood in the latest list. */
  const others = {
    orders: new Map<string, OtherAssets["orders"][number]>(),
    positions: [] as OtherAssets["positions"],
  };

  const orderByClientId = (clientOrderId: string) =>
    findOrder((init) => api.orders.getOrderByClientOrderIdRaw({ clientOrderId }, init));

  /**
   * Pages by time of submission, ascending. The edge is exclusive and cut to milliseconds, so each page
   * begins a millisecond before the last order seen and known ids are passed over.
   */
  async function allOrders(status: "open" | "all", since: Instant | null): Promise<BrokerOrder[]> {
    const found = new Map<string, BrokerOrder>();
    let after = since;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const edge = after;
      const { orders, others: left } = await read(
        (init) =>
          api.orders.getAllOrdersRaw(
            { status, limit: ORDER_PAGE, direction: "asc", nested: true, ...(edge === null ? {} : { after: edge }) },
            init,
          ),
        ordersFromWire,
      );
      for (const order of left) others.orders.set(order.id, order);
      const fresh = orders.filter((order) => !found.has(order.id));
      for (const order of orders) found.set(order.id, order);
      // Legs may count towards the broker's limit or not: the page is the last one only if it is short by either count.
      const rows = orders.reduce((counted, order) => counted + 1 + order.legs.length, left.length);
      if (rows < ORDER_PAGE) return [...found.values()];
      const last = orders.at(-1);
      if (fresh.length === 0 || last === undefined)
        throw readFailure(new Error("the broker repeats one page of orders"));
      after = new Date(Date.parse(last.submittedAt) - 1).toISOString();
    }
    throw readFailure(new Error("the broker's list of orders does not end"));
  }

  async function allActivities<T extends { activityId: string }>(
    filter: { activityTypes: ["FILL"] } | { category: "non_trade_activity" },
    after: Date | null,
    parse: (wire: unknown) => T,
  ): Promise<T[]> {
    const found = new Map<string, T>();
    let pageToken: string | null = null;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const token: string | null = pageToken;
      const rows: T[] = await read(
        (init) =>
          api.activities.getAccountActivitiesRaw(
            {
              ...filter,
              direction: "asc",
              pageSize: ACTIVITY_PAGE,
              ...(after === null ? {} : { after }),
              ...(token === null ? {} : { pageToken: token }),
            },
            init,
          ),
        (wire) => {
          if (!Array.isArray(wire)) throw new TypeError("activities are not a list");
          return wire.map(parse);
        },
      );
      const known = found.size;
      for (const row of rows) found.set(row.activityId, row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < ACTIVITY_PAGE) return [...found.values()];
      if (found.size === known) throw readFailure(new Error("the broker repeats one page of activities"));
      pageToken = last.activityId;
    }
    throw readFailure(new Error("the broker's list of activities does not end"));
  }

  /** Waits to the end of the budget's own pause: an earlier try would be held by it and lost. */
  const throttled = (): SubmitOutcome => ({
    kind: "throttled",
    retryAfterMs: Math.max(OWN_WAIT_MS, Math.ceil(budget.pausedForMs())),
  });

  async function submit(order: OrderRequest): Promise<SubmitOutcome> {
    if (!(await budget.take(order.side === "SELL" ? "exit" : "entry", SUBMIT_PATIENCE_MS))) return throttled();
    try {
      const wire = await once((init) => api.orders.postOrderRaw({ postOrderRequest: orderToSdk(order) }, init));
      return { kind: "accepted", order: orderFromWire(wire) };
    } catch (error) {
      const outcome = submitFailure(error);
      if (outcome.kind === "throttled") return throttled();
      if (!mayBeDuplicate(error)) return outcome;
      try {
        return (await orderByClientId(order.clientOrderId)) ? { kind: "duplicate" } : outcome;
      } catch {
        return { kind: "unknown", cause: "the client id may be taken and the broker could not be asked" };
      }
    }
  }

  async function replace(orderId: string, { stopPrice }: { stopPrice: string }): Promise<ReplaceOutcome> {
    const throttledFor = () => Math.max(OWN_WAIT_MS, Math.ceil(budget.pausedForMs()));
    if (!(await budget.take("exit", SUBMIT_PATIENCE_MS))) return { kind: "throttled", retryAfterMs: throttledFor() };
    try {
      const patchOrderRequest = { stopPrice };
      const wire = await once((init) => api.orders.patchOrderByOrderIdRaw({ orderId, patchOrderRequest }, init));
      return { kind: "replaced", order: orderFromWire(wire) };
    } catch (error) {
      const outcome = submitFailure(error);
      switch (outcome.kind) {
        case "rejected":
          return outcome;
        case "throttled":
          return { kind: "throttled", retryAfterMs: throttledFor() };
        case "keys_refused":
          return { kind: "rejected", code: "", message: outcome.message };
        default:
          return { kind: "unknown", cause: outcome.kind === "unknown" ? outcome.cause : outcome.kind };
      }
    }
  }

  async function cancel(orderId: string): Promise<CancelOutcome> {
    try {
      await inTurn("cancel", (init) => api.orders.deleteOrderByOrderIDRaw({ orderId }, init));
      return { kind: "requested" };
    } catch (error) {
      return cancelFailure(error);
    }
  }

  return {
    account: () => read((init) => api.account.getAccountRaw(init), accountFromWire),
    // A sale that cancelled its stops waits for this one.
    positions: () =>
      read(
        (init) => api.positions.getAllOpenPositionsRaw(init),
        (wire) => {
          others.positions = otherPositionsFromWire(wire);
          return positionsFromWire(wire);
        },
        "exit",
      ),
    otherAssets: () => ({ orders: [...others.orders.values()], positions: others.positions }),
    clock: () => read((init) => api.clock.legacyClockRaw(init), clockFromWire),
    submit,
    replace,
    cancel,
    orderByClientId,
    order: (orderId) => findOrder((init) => api.orders.getOrderByOrderIDRaw({ orderId, nested: true }, init)),
    ordersSince: (since) => allOrders("all", since),
    openOrders: () => allOrders("open", null),
    async executionsSince(since: Instant | null): Promise<BrokerExecution[]> {
      const after = since === null ? null : new Date(since);
      const rows = await allActivities({ activityTypes: ["FILL"] }, after, executionFromWire);
      const executions = rows.map(({ execution }) => execution);
      return executions.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
    },
    async activitiesSince(since: SessionDate | null): Promise<BrokerActivity[]> {
      // The broker's edge is an instant; a day of room, then the exact date here.
      const after = since === null ? null : new Date(`${addDays(since, -2)}T00:00:00.000Z`);
      const rows = await allActivities({ category: "non_trade_activity" }, after, activityFromWire);
      return rows
        .map(({ activity }) => activity)
        .filter(({ date }) => since === null || date >= since)
        .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
    },
    tradeUpdates: (handlers) => followTradeUpdates(tradingUrl, keys, handlers, streamTimes),
  };
}
