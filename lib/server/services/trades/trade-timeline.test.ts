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

const SENT = new Date("2024-01-02T14:36:00.000Z");
const FILLED = new Date("2024-01-02T15:00:00.000Z");
const titlesOf = (row: object) =>
  timelineOf(
    { fills: [], role: "ENTRY", parentId: null, submittedAt: SENT, ...row } as unknown as WholeTrade,
    null,
  ).map(({ title, at }) => [title, at]);

it("a leg rests once its purchase has ended with shares, and waits before", () => {
  const leg = (filledAt: Date | null, status = "NEW", parent: object = {}) =>
    titlesOf({
      ...{ role: "STOP", parentId: "entry", stopPrice: "47.5", limitPrice: null, brokerStatus: status, status },
      parent: { role: "ENTRY", filledAt, filledQty: filledAt === null ? "0" : "10", endedAt: null, ...parent },
      endedAt: FILLED,
    });
  expect(leg(FILLED)).toEqual([["Resting at the broker as the stop at $47.50", FILLED]]);
  expect(leg(null, "HELD")).toEqual([["Waits at the broker as the stop at $47.50 for its purchase to fill", SENT]]);
  expect(leg(null, "CANCELED").at(0)).toEqual([
    "Waited at the broker as the stop at $47.50 for its purchase to fill",
    SENT,
  ]);
  const partly = { filledQty: "4" };
  expect(leg(null, "HELD", partly)).toEqual([
    ["Waits at the broker as the stop at $47.50 for its purchase to fill", SENT],
  ]);
  expect(leg(null, "NEW", { ...partly, endedAt: FILLED })).toEqual([
    ["Resting at the broker as the stop at $47.50", FILLED],
  ]);
});

it("an order that the broker rejected was not accepted", () => {
  const intent = {
    side: "BUY",
    qty: "1",
    symbol: "AAPL",
    decisionPrice: "0.1234",
    reason: "entry_momentum",
    verdicts: [],
  };
  const titles = titlesOf({ intent, status: "REJECTED", brokerStatus: "rejected", endedAt: SENT });
  expect(titles.map(([title]) => title)).toEqual([
    "Decided: Momentum entry",
    "Sent to the broker",
    "Rejected by the broker",
  ]);
});

it("a price per share is told to its last digit", () => {
  const fills = [{ qty: "29", price: "0.1234", at: FILLED }];
  expect(titlesOf({ fills, qty: "29", status: "FILLED", filledAt: FILLED, brokerStatus: "filled" })).toContainEqual([
    "Filled 29 at $0.1234",
    FILLED,
  ]);
});
