import { describe, expect, it } from "vitest";
import { bareAtExchange } from "./bare-at-exchange.ts";

const stop = {
  symbol: "AAA",
  side: "sell",
  type: "stop",
  order_class: "bracket",
  qty: "10",
  filled_qty: "0",
  status: "new",
};
const target = { ...stop, type: "limit" };
const sale = { ...stop, type: "market", order_class: "simple" };

const bare = (orders: (typeof stop)[], qty = "10") =>
  bareAtExchange({ positions: [{ symbol: "AAA", qty }], orders }).map(
    (found) => `${found.symbol} ${found.qty.toFixed()}`,
  );

describe("whole shares without a live stop at the exchange", () => {
  it("are all of a position without an order, and none under a stop of its size", () => {
    expect(bare([])).toEqual(["AAA 10"]);
    expect(bare([stop, target])).toEqual([]);
    expect(bare([target])).toEqual(["AAA 10"]);
  });

  it("are not covered by a leg that waits for its entry, by an ended stop, or by one of another symbol", () => {
    for (const change of [{ status: "held" }, { status: "canceled" }, { symbol: "BBB" }, { side: "buy" }])
      expect(bare([{ ...stop, ...change }])).toEqual(["AAA 10"]);
  });

  it("are what a working sale, ours or a person's, and the stops leave", () => {
    expect(bare([sale])).toEqual([]);
    // The exchange leaves the class of a simple order empty.
    expect(bare([{ ...sale, order_class: "" }])).toEqual([]);
    expect(bare([{ ...sale, type: "limit", qty: "3" }])).toEqual(["AAA 7"]);
    expect(
      bare([
        { ...sale, qty: "3" },
        { ...stop, qty: "7" },
      ]),
    ).toEqual([]);
    expect(bare([{ ...sale, filled_qty: "8" }])).toEqual(["AAA 8"]);
    expect(bare([{ ...stop, qty: "9" }], "10.5")).toEqual(["AAA 1"]);
    expect(bare([stop], "10.5")).toEqual([]);
  });
});
