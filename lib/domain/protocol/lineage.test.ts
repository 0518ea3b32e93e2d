import { describe, expect, it } from "vitest";
import { type DecidedOrder, lineageOfDecided, lineageOfLeg, lineageOfOther } from "./lineage.ts";

const ENTRY: DecidedOrder = {
  id: "intent",
  purpose: "ENTRY",
  reason: "momentum",
  symbol: "KLM",
  side: "BUY",
  qty: "10.000000000",
  gateVerdictId: "verdict",
};
const REPORTED = { clientOrderId: "ours", type: "LIMIT", symbol: "KLM", side: "BUY", qty: "10" } as const;

describe("whose order a report is about", () => {
  it("an order with the id, symbol, side and quantity of a decision is ours, and says what it was decided for", () => {
    const ours = { origin: "OURS", intentId: "intent", parentId: null };
    expect(lineageOfDecided(ENTRY, REPORTED)).toEqual({
      lineage: { ...ours, role: "ENTRY", reason: "momentum" },
      mismatch: null,
    });
    const sale = { ...ENTRY, purpose: "EXIT", side: "SELL", reason: "time_stop" } as const;
    expect(lineageOfDecided(sale, { ...REPORTED, side: "SELL" }).lineage).toEqual({
      ...ours,
      role: "EXIT",
      reason: "time_stop",
    });
  });

  it.each([
    ["another symbol", {}, { symbol: "XYZ" }, "ours: symbol XYZ instead of KLM"],
    ["the other side", {}, { side: "SELL" }, "ours: side SELL instead of BUY"],
    ["another quantity", {}, { qty: "11" }, "ours: quantity 11 instead of 10"],
    ["no quantity", {}, { qty: null }, "ours: quantity none instead of 10"],
    ["no passed gate", { gateVerdictId: null }, {}, "ours: sent without a passed gate"],
  ] as const)("an order with our id and %s is not the decided one", (_, decided, reported, mismatch) => {
    expect(lineageOfDecided({ ...ENTRY, ...decided }, { ...REPORTED, ...reported })).toEqual({
      lineage: { origin: "EXTERNAL", role: "EXTERNAL", intentId: null, parentId: null, reason: null },
      mismatch,
    });
  });

  it.each([
    ["STOP", "STOP", "protective_stop"],
    ["STOP_LIMIT", "STOP", "protective_stop"],
    ["TRAILING_STOP", "STOP", "protective_stop"],
    ["LIMIT", "TARGET", "profit_target"],
  ] as const)("a %s that protects is a %s", (type, role, reason) => {
    const protect = { ...ENTRY, purpose: "PROTECT", side: "SELL" } as const;
    expect(lineageOfDecided(protect, { ...REPORTED, side: "SELL", type }).lineage).toEqual({
      origin: "OURS",
      role,
      intentId: "intent",
      parentId: null,
      reason,
    });
    expect(lineageOfLeg({ type }, ENTRY, "parent", null)).toEqual({
      origin: "OURS",
      role,
      intentId: "intent",
      parentId: "parent",
      reason,
    });
  });

  it("a trailing stop says so, and a stop that was raised in place keeps its own reason", () => {
    const trailing = { id: "intent", reason: "trailing_stop" };
    expect(lineageOfLeg({ type: "STOP" }, trailing, "parent", null).reason).toBe("trailing_stop");
    expect(lineageOfLeg({ type: "STOP" }, ENTRY, "parent", "trailing_stop").reason).toBe("trailing_stop");
  });

  it("a replacement made at the broker continues the order that it replaces; any other order is from elsewhere", () => {
    const { lineage } = lineageOfDecided(ENTRY, REPORTED);
    expect(lineageOfOther(lineage, null)).toEqual(lineage);
    expect(lineageOfOther(null, null)).toMatchObject({ origin: "EXTERNAL", role: "EXTERNAL", parentId: null });
    expect(lineageOfOther(null, "parent")).toMatchObject({ origin: "EXTERNAL", intentId: null, parentId: "parent" });
  });
});
