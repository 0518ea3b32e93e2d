import { describe, expect, it } from "vitest";
import { splitAmended, effectiveExecutions, type ListedExecution } from "./executions.ts";

const row = (cumulativeQty: string, qty: string, amendment?: ListedExecution["amendment"]): ListedExecution => ({
  orderId: "order",
  cumulativeQty,
  qty,
  ...(amendment === undefined ? {} : { amendment }),
});

describe("the executions of an order that stand", () => {
  it.each([
    ["untouched ones all do", [row("4", "4"), row("10", "6")], "10", ["4", "6"]],
    ["a cancelled one does not", [row("4", "4"), row("10", "6", "canceled")], "4", ["4"]],
    ["an order with nothing but cancelled ones has none", [row("10", "10", "canceled")], "0", []],
    ["one corrected in place does", [row("4", "4"), row("9", "5", "corrected")], "9", ["4", "5"]],
    [
      "one corrected beside its successor does not",
      [row("4", "4"), row("10", "6", "corrected"), row("9", "5")],
      "9",
      ["4", "5"],
    ],
    [
      "one corrected twice leaves its last successor",
      [row("10", "10", "corrected"), row("9", "9", "corrected"), row("8", "8")],
      "8",
      ["8"],
    ],
  ] as const)("%s", (_, listed, filled, standing) => {
    expect(effectiveExecutions(listed, filled)?.map(({ qty }) => qty)).toEqual(standing);
  });

  it("are unknown while the order itself disagrees, or two have one identity", () => {
    expect(effectiveExecutions([row("10", "10", "canceled")], "10")).toBeNull();
    expect(effectiveExecutions([row("4", "4")], "10")).toBeNull();
    expect(effectiveExecutions([row("4", "4"), row("4", "4")], "8")).toBeNull();
  });

  it("an order with one amended execution is set apart with all of them", () => {
    const other = { ...row("1", "1"), orderId: "other" };
    expect(splitAmended([row("4", "4"), other, row("10", "6", "canceled")])).toEqual({
      plain: [other],
      amendedOrders: ["order"],
    });
  });
});
