import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  accountFromWire,
  orderFromWire,
  ordersFromWire,
  otherPositionsFromWire,
  orderToSdk,
  positionsFromWire,
  tradeUpdateFromWire,
  wireOf,
} from "./alpaca-mapping.ts";
import { activityFromWire, executionFromWire } from "./alpaca-activities.ts";
import { moneyOf } from "./other-assets.ts";

const order = {
  id: "o1",
  client_order_id: "tw-1",
  symbol: "AAPL",
  side: "buy",
  order_class: "",
  type: "limit",
  time_in_force: "day",
  qty: "10",
  notional: null,
  limit_price: "150.25",
  stop_price: null,
  status: "new",
  filled_qty: "0",
  filled_avg_price: null,
  submitted_at: "2026-10-08T15:10:17.98765432Z",
  updated_at: "2026-10-08T15:10:18.1Z",
  filled_at: null,
  legs: null,
};

describe("an order from the wire", () => {
  it("is read, its times cut to milliseconds, its class simple where it is empty", () => {
    expect(orderFromWire(order)).toMatchObject({
      id: "o1",
      side: "BUY",
      orderClass: "SIMPLE",
      type: "LIMIT",
      status: "NEW",
      submittedAt: "2026-10-08T15:10:17.987Z",
      updatedAt: "2026-10-08T15:10:18.100Z",
      legs: [],
    });
  });

  it.each([
    [
      "a status that we do not know stays OTHER, with the word",
      { status: "calculated_twice" },
      { status: "OTHER", brokerStatus: "calculated_twice" },
    ],
    [
      "a status named like a property of every object",
      { status: "constructor" },
      { status: "OTHER", brokerStatus: "constructor" },
    ],
    ["numbers instead of text", { qty: 10, limit_price: 150.25 }, { qty: "10", limitPrice: "150.25" }],
    ["a tiny number is plain text", { qty: 0.0000001 }, { qty: "0.0000001" }],
    ["extra fields", { subtag: null, new_field: { a: 1 } }, { id: "o1" }],
    [
      "missing optional fields",
      { limit_price: undefined, filled_qty: undefined, legs: undefined },
      { limitPrice: null, filledQty: "0" },
    ],
    ["an order class that we do not know", { order_class: "mleg" }, { orderClass: "SIMPLE" }],
    [
      "a time of creation where the time of submission is missing",
      { submitted_at: null, created_at: "2026-10-08T15:10:00Z" },
      { submittedAt: "2026-10-08T15:10:00.000Z" },
    ],
  ])("accepts %s", (_, change, expected) => {
    expect(orderFromWire({ ...order, ...change })).toMatchObject(expected);
  });

  it.each([
    ["NaN", { qty: "NaN" }],
    ["a NaN number", { filled_qty: Number.NaN }],
    ["infinity", { limit_price: "Infinity" }],
    ["an exponent", { qty: "1e400" }],
    ["text", { qty: "ten" }],
    ["hexadecimal", { qty: "0x10" }],
    ["a negative fill", { filled_qty: "-1" }],
    ["more filled than ordered", { filled_qty: "11" }],
    ["filled without a price", { status: "filled", filled_qty: "10" }],
    ["filled without a quantity", { status: "filled", filled_avg_price: "1" }],
    ["no id", { id: undefined }],
    ["an empty id", { id: "" }],
    ["an id that is a number", { id: 5 }],
    ["no client id", { client_order_id: null }],
    ["no symbol", { symbol: undefined }],
    ["a side that we do not know", { side: "both" }],
    ["a type that we do not know", { type: "iceberg" }],
    ["no status", { status: null }],
    ["no time", { submitted_at: null }],
    ["a time that is none", { submitted_at: "yesterday" }],
    ["neither quantity nor notional", { qty: null }],
    ["legs that are no list", { legs: "none" }],
    ["a broken leg", { legs: [{ ...order, qty: "NaN" }] }],
  ])("refuses %s", (_, change) => {
    expect(() => orderFromWire({ ...order, ...change })).toThrow();
  });

  it("never answers anything but a sound order, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.record(
          Object.fromEntries(
            Object.keys(order).map((key) => [
              key,
              fc.oneof(fc.anything(), fc.constant(order[key as keyof typeof order])),
            ]),
          ),
        ),
        (wire) => {
          let read;
          try {
            read = orderFromWire(wire);
          } catch {
            return;
          }
          expect(read.filledQty).toMatch(/^\d+(\.\d+)?$/);
          expect(read.id.length).toBeGreaterThan(0);
          expect(Number.isFinite(Date.parse(read.submittedAt))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([null, [], "html", 5, undefined, {}])("refuses %j in its place", (wire) => {
    expect(() => orderFromWire(wire)).toThrow();
  });
});

describe("other payloads", () => {
  it("an account without the removed day-trade fields is read; a blocked one is reported", () => {
    const account = {
      id: "a",
      account_number: "PA1",
      status: "ACTIVE",
      cash: "1",
      equity: "2",
      last_equity: "100003.74258806517",
      buying_power: "4",
      long_market_value: "0",
      account_blocked: true,
    };
    expect(accountFromWire(account)).toMatchObject({ isBlocked: true, lastEquity: "100003.74258806517" });
    expect(() => accountFromWire({ ...account, cash: "NaN" })).toThrow();
    expect(() => accountFromWire({ ...account, equity: null })).toThrow();
  });

  it("a position without an available quantity offers all of it; a short one is negative", () => {
    const position = {
      symbol: "AAPL",
      qty: "-10",
      avg_entry_price: "5",
      current_price: "5",
      market_value: "-50",
      unrealized_pl: "0",
      unrealized_plpc: "0",
    };
    expect(positionsFromWire([position])[0]).toMatchObject({ qty: "-10", qtyAvailable: "-10" });
    expect(() => positionsFromWire({ message: "x" })).toThrow();
  });

  const fill = {
    id: "f",
    order_id: "o",
    cum_qty: "4",
    qty: "4",
    price: "10",
    side: "sell_short",
    symbol: "A",
    transaction_time: "2026-10-08T15:10:17Z",
  };
  it("an execution is read; one without shares, price or a sound sum is refused", () => {
    expect(executionFromWire(fill).execution).toMatchObject({ side: "SELL", cumulativeQty: "4" });
    for (const change of [{ qty: "0" }, { price: "0" }, { price: "-1" }, { cum_qty: "3" }, { order_id: null }])
      expect(() => executionFromWire({ ...fill, ...change })).toThrow();
  });

  it("an execution that was taken back or corrected says so, in either spelling; one that stands says nothing (V5)", () => {
    const fill = {
      id: "20261008111018097::x",
      order_id: "o1",
      cum_qty: "4",
      qty: "4",
      price: "10",
      side: "sell",
      symbol: "AAPL",
      transaction_time: "2026-10-08T15:10:18.097123Z",
    };
    const amendmentOf = (change: object) => executionFromWire({ ...fill, ...change }).execution.amendment;
    expect(amendmentOf({ status: "canceled" })).toBe("canceled");
    expect(amendmentOf({ status: "canceled", qty: "0" })).toBe("canceled");
    expect(amendmentOf({ status: "correct" })).toBe("corrected");
    expect(amendmentOf({ status: "corrected" })).toBe("corrected");
    for (const status of [undefined, null, "executed", "constructor"]) expect(amendmentOf({ status })).toBeUndefined();
  });

  it("other assets than stocks are told apart, in lists, executions, activities and updates, whatever their shape", () => {
    const crypto = { ...order, id: "o2", symbol: "BTC/USD", asset_class: "crypto" };
    const several = { id: "o3", symbol: "", side: "", type: "limit", order_class: "mleg", legs: [{ symbol: "x" }] };
    const { orders, others } = ordersFromWire([{ ...order, asset_class: "us_equity" }, crypto, several, order]);
    expect(orders.map(({ id }) => id)).toEqual(["o1", "o1"]);
    expect(others).toEqual([
      { id: "o2", symbol: "BTC/USD", assetClass: "crypto" },
      { id: "o3", symbol: "several", assetClass: "us_option" },
    ]);
    expect(() => ordersFromWire([{ ...order, id: null }])).toThrow();
    const held = [{ symbol: "BTCUSD", asset_class: "crypto", market_value: "100" }];
    expect(positionsFromWire(held)).toEqual([]);
    expect(otherPositionsFromWire(held)).toEqual([{ symbol: "BTCUSD", assetClass: "crypto", marketValue: "100" }]);
    expect(tradeUpdateFromWire({ event: "new", timestamp: "2026-10-08T15:10:18Z", order: crypto })).toBeNull();
    const fill = { id: "f", order_id: "o", cum_qty: "2", qty: "2", price: "3.5", side: "buy", symbol: "A" };
    const at = { transaction_time: "2026-10-08T15:10:18Z" };
    const classOf = (symbol: string) => executionFromWire({ ...fill, ...at, symbol }).execution.assetClass;
    expect(["BTC/USD", "SPY201218C00350000", "SPY", "BRK.B"].map(classOf)).toEqual([
      "crypto",
      "us_option",
      undefined,
      undefined,
    ]);
    const expiry = { id: "x", activity_type: "OPEXP", date: "2026-10-08", qty: "-2", symbol: "SPY201218C00350000" };
    expect(activityFromWire(expiry).activity).toMatchObject({ type: "OTHER_ASSET", qty: null, netAmount: "0" });
    const execution = { orderId: "o", cumulativeQty: "2", qty: "2", price: "3.5", symbol: "SPY201218C00350000" };
    const sale = { ...execution, side: "SELL", at: "2026-10-08T15:10:18.000Z", assetClass: "us_option" } as const;
    expect(moneyOf(sale)).toMatchObject({ type: "OTHER_ASSET", netAmount: "700", date: "2026-10-08", qty: null });
  });

  it("an activity has the broker's group, and its moment where that is of its own date", () => {
    const leg = { id: "n", activity_type: "NC", date: "2026-10-08", net_amount: "0", qty: "-10", symbol: "A" };
    const of = (more: object) => activityFromWire({ ...leg, ...more }).activity;
    // 20:30 in New York.
    const evening = "2026-10-09T00:30:00Z";
    expect(of({ group_id: "g", created_at: evening })).toMatchObject({ group: "g", at: "2026-10-09T00:30:00.000Z" });
    const later = of({ group_id: "", created_at: "2026-10-09T14:00:00Z" });
    expect([later.group, later.at]).toEqual([undefined, undefined]);
  });

  it("a dividend's quantity is no movement of shares; an activity taken back says so", () => {
    const dividend = { id: "d", activity_type: "DIV", date: "2026-10-08", net_amount: "5", qty: "100", symbol: "A" };
    expect(activityFromWire(dividend).activity).toMatchObject({ qty: null, netAmount: "5" });
    expect(activityFromWire({ ...dividend, activity_type: "SPLIT", net_amount: "0" }).activity).toMatchObject({
      qty: "100",
    });
    expect(activityFromWire({ ...dividend, activity_type: "MA", net_amount: "0" }).activity).toMatchObject({
      qty: "100",
    });
    expect(activityFromWire({ ...dividend, status: "canceled" }).activity).toMatchObject({ isCanceled: true });
  });

  it("an update with a fill carries the execution and the quantity in all; legs may come in the SDK's form", () => {
    const sdkOrder = { ...order, filled_qty: "4", filled_avg_price: "10", status: "partially_filled" };
    const leg = {
      id: "l",
      clientOrderId: "c",
      symbol: "AAPL",
      side: "sell",
      type: "stop",
      timeInForce: "gtc",
      qty: "10",
      status: "held",
      submittedAt: new Date(0),
      notional: undefined,
    };
    const update = wireOf({
      event: "partial_fill",
      timestamp: new Date(1_000),
      price: "10",
      qty: "4",
      order: { ...sdkOrder, legs: [leg] },
    });
    expect(tradeUpdateFromWire(update)).toMatchObject({
      execution: { cumulativeQty: "4", qty: "4", price: "10", at: "1970-01-01T00:00:01.000Z" },
      order: { legs: [{ id: "l", type: "STOP", status: "HELD" }] },
    });
    expect(() => tradeUpdateFromWire({ ...(update as object), price: undefined })).toThrow();
  });
});

it("an order goes out as decimal text, with its legs only where it has them", () => {
  const request = {
    clientOrderId: "tw-1",
    symbol: "AAPL",
    side: "BUY",
    qty: "10.0",
    orderClass: "BRACKET",
    type: "LIMIT",
    timeInForce: "gtc",
    limitPrice: "150.50",
    stopPrice: null,
    takeProfitPrice: "160",
    stopLossPrice: "145",
  } as const;
  expect(orderToSdk(request)).toEqual({
    clientOrderId: "tw-1",
    symbol: "AAPL",
    side: "buy",
    qty: "10",
    type: "limit",
    timeInForce: "gtc",
    orderClass: "bracket",
    limitPrice: "150.5",
    takeProfit: { limitPrice: "160" },
    stopLoss: { stopPrice: "145" },
  });
});

describe("an account of a broker that changed its answer", () => {
  const account = {
    id: "a",
    account_number: "PA1",
    status: "ACTIVE",
    cash: "1",
    equity: "2",
    last_equity: "3",
    buying_power: "4",
    long_market_value: "0",
    pattern_day_trader: null,
    something_new: { nested: [1] },
  };

  it("is read without the day-trade fields and with unknown ones (B25)", () => {
    expect(accountFromWire(account)).toMatchObject({ isBlocked: false, buyingPower: "4", accruedFees: null });
  });

  it.each(["cash", "equity", "last_equity", "buying_power", "long_market_value"])(
    "is refused without %s: what is missing is never taken for 0 (B25)",
    (field) => {
      expect(() => accountFromWire({ ...account, [field]: undefined })).toThrow();
    },
  );
});
