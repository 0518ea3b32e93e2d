import { describe, expect, it } from "vitest";
import { money, ZERO } from "../../domain/money.ts";
import { bidOf } from "../market/view.ts";
import type { ExchangeState } from "./state.ts";
import { executionPrice } from "./execution-price.ts";
import type { Order } from "./types.ts";

/** A state that only writes down. */
const state = { journal: { write() {} } } as unknown as ExchangeState;

/** A trailing sell of 5 % with its mark at 100, and so its stop at 95. */
function trailing(): Order {
  const order: Partial<Order> = {
    side: "sell",
    type: "trailing_stop",
    status: "new",
    qty: money(10),
    filledQty: ZERO,
    trailPrice: null,
    trailPercent: money(5),
    hwm: money(100),
    stopPrice: money(95),
    isTriggered: false,
  };
  return order as Order;
}

describe("a trailing stop within one minute", () => {
  it.each([
    ["falls to the stop as it stood, whatever the high", { open: 99, high: 120, low: 95, close: 118 }, bidOf(95), "95"],
    ["is gapped over and sells at the open", { open: 90, high: 91, low: 88, close: 89 }, bidOf(90), "95"],
    [
      "rises, and its close is below the moved stop",
      { open: 100, high: 110, low: 97, close: 104 },
      bidOf(104.5),
      "104.5",
    ],
    [
      "rises; whether the low came before is not known, and it waits",
      { open: 100, high: 110, low: 97, close: 106 },
      null,
      "104.5",
    ],
    ["stays where it is", { open: 98, high: 99, low: 96, close: 97 }, null, "95"],
  ])("%s", (_, touch, price, stop) => {
    const order = trailing();
    expect(executionPrice(state, order, touch)).toBe(price);
    expect([order.stopPrice?.toFixed(), order.isTriggered]).toEqual([stop, price !== null]);
  });

  it("the stop is rounded away from the market, to the cent", () => {
    const order = trailing();
    expect(executionPrice(state, order, { open: 101, high: 101.13, low: 100, close: 101 })).toBeNull();
    expect(order.stopPrice?.toFixed()).toBe("96.07");
  });
});
