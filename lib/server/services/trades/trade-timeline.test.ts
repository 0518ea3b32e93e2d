import { expect, it } from "vitest";
import type { WholeTrade } from "./read-trade.ts";
import { timelineOf } from "./trade-timeline.ts";

const gate = (passed: boolean, isWarning = false) => ({ passed, isWarning, detail: "a rule" });

/** The line of its rules, with these results. */
function rulesLine(passed: boolean, results: readonly ReturnType<typeof gate>[]) {
  const intent = {
    side: "BUY",
    qty: "10",
    symbol: "AAPL",
    decisionPrice: "100",
    purpose: "ENTRY",
    reason: "entry_signal",
    decidedAt: new Date(0),
    lastError: null,
    attempt: 1,
    verdicts: [{ phase: "T1", passed, at: new Date(0), results }],
  };
  const trade = { intent, role: "ENTRY", reason: null, parentId: null, stopPrice: null, limitPrice: null, fills: [] };
  const steps = timelineOf({ ...trade, status: "NEW" } as unknown as WholeTrade, null);
  return steps.find(({ kind }) => kind === "gated");
}

it("an order whose rules all passed says so", () => {
  expect(rulesLine(true, [gate(true), gate(true)])?.detail).toBe("All 2 passed");
});

it("a warning is not counted as a rule that passed", () => {
  expect(rulesLine(true, [gate(true), gate(true), gate(false, true)])).toMatchObject({
    detail: "2 of 3 passed, 1 warning",
    isBad: false,
  });
  expect(rulesLine(true, [gate(true), gate(false, true), gate(false, true)])?.detail).toBe("1 of 3 passed, 2 warnings");
});

it("what refused is told before what warned", () => {
  const results = [gate(true), gate(false, true), { ...gate(false), detail: "11 of 10 positions" }];
  expect(rulesLine(false, results)?.detail).toBe("11 of 10 positions");
});
