import { expect, it } from "vitest";
import { previewFigures } from "./preview.ts";
import type { BacktestResult } from "./result.ts";

const day = (equity: string, drawdown: number, positions: number, refusals = {}) => ({
  equity,
  drawdown,
  positions,
  refusals,
});
const trade = (symbol: string, pnl: string, outcome: string) => ({ symbol, pnl, outcome });
const fill = (orderId: string, side: string) => ({ orderId, side });
const result = (change: object) =>
  ({
    config: { cash: "100000" },
    days: [],
    fills: [],
    trades: [],
    openPositions: [],
    halted: null,
    ...change,
  }) as unknown as BacktestResult;

it("a short run is described in figures that add up, what is still held among them", () => {
  const figures = previewFigures(
    result({
      days: [
        day("100000", 0, 0, { regime: 3 }),
        day("99800.5", -0.002, 2, { conviction: 2 }),
        day("100150.25", 0, 1, { conviction: 2 }),
      ],
      // An entry in two parts is one purchase.
      fills: [fill("1", "BUY"), fill("1", "BUY"), fill("2", "BUY"), fill("3", "SELL"), fill("4", "BUY")],
      trades: [trade("AA", "-20.5", "LOSS"), trade("BB", "70.75", "WIN"), trade("DD", "0", "SCRATCH")],
      openPositions: [{ symbol: "CC", unrealised: "100" }],
      halted: { session: "2020-02-24", reason: "drawdown" },
    }),
  );
  expect(figures).toEqual({
    pnl: "150.25",
    totalReturn: 0.0015025,
    maxDrawdown: -0.002,
    purchases: 3,
    won: 1,
    lost: 1,
    open: 1,
    best: { symbol: "CC", pnl: "100", isOpen: true },
    worst: { symbol: "AA", pnl: "-20.5", isOpen: false },
    daysInvested: 2,
    refused: { gate: "conviction", count: 4 },
    halted: "2020-02-24",
  });
});

it("a run that bought nothing has no best and no worst, and nothing refused where there was no signal", () => {
  expect(previewFigures(result({ days: [day("100000", 0, 0)] }))).toMatchObject({
    pnl: "0",
    totalReturn: 0,
    maxDrawdown: 0,
    purchases: 0,
    best: null,
    worst: null,
    refused: null,
    halted: null,
  });
});
