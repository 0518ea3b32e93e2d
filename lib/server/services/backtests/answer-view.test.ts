import { expect, it } from "vitest";
import type { BacktestRecord } from "@/lib/domain/backtest/record.ts";
import { addDays } from "@/lib/domain/time.ts";
import { answerView } from "./answer-view.ts";

const places = Array.from({ length: 80 }, (_, i) => i);

const record: BacktestRecord = {
  symbolCount: 2,
  engineVersion: "1.2.0",
  days: {
    sessions: places.map((i) => addDays("2020-01-02", i)),
    equity: places.map((i) => (100_000 + 400 * Math.sin(i)).toFixed(2)),
    exposure: places.map(() => 0.3),
    index: places.map((i) => 100_000 + 900 * Math.cos(i)),
    universe: places.map((i) => 100_000 + 10 * i),
  },
  trips: [],
  openPositions: [],
  tables: {
    ...{ monthly: [], byStrategy: [], byRegimeAtEntry: [], byExit: [], bySector: [], regimeDays: [] },
    costs: { spread: "0", impact: "0", fees: "0", total: "0", totalBps: null },
  },
  refusals: [],
  halted: null,
  spreads: [{ multiple: 1, spreadBps: 5, finalEquity: "99000", totalReturn: -0.01, maxDrawdown: -0.02, trips: 4 }],
  largest: { symbol: "AA", session: "2020-01-03", notional: "1000", adv: 1e6, share: 0.001 },
};

it("the same record gives the same answer, and one that holds everything lacks nothing", () => {
  const answer = answerView(record, "100000", 1);
  expect(answerView(structuredClone(record), "100000", 1)).toEqual(answer);
  expect(answer.holdings.map(({ name, reason }) => [name, reason])).toEqual([
    ["Strategy", null],
    ["SPY", null],
    ["SPY at the same exposure", null],
    ["Equal-weight universe", null],
  ]);
  expect(answer.parts.map(({ from, to }) => [from, to])).toEqual([
    ["2020-01-02", "2020-02-23"],
    ["2020-02-24", "2020-03-21"],
  ]);
  expect(answer.capacity).toContain("0.10%");
  expect(answer.missing).toEqual([]);
});

it("a record from before universe, repeats and capacity were kept is answered as far as it goes, and says what it lacks", () => {
  const { spreads: _spreads, largest: _largest, ...old } = record;
  const { universe: _universe, ...days } = old.days;
  const answer = answerView({ ...old, days }, "100000", 1);
  expect(answer.holdings.map(({ reason }) => reason)).toEqual([null, null, null, "Not kept when this run was made"]);
  expect([answer.spreads, answer.capacity]).toEqual([null, null]);
  expect(answer.missing).toEqual([
    expect.stringMatching(/^SPY is its price alone/),
    expect.stringMatching(/not repeated at wider spreads.*Run it again/),
  ]);
  expect(answerView({ ...record, largest: null }, "100000", 1).missing).toEqual([expect.stringMatching(/^Capacity: /)]);
});

it("other tries are named beside a sentence on luck, and not where nothing is concluded", () => {
  const trip = { closed: "2020-01-05" } as BacktestRecord["trips"][number];
  const traded = { ...record, trips: Array.from({ length: 30 }, () => trip) };
  expect(answerView(traded, "100000", 4).tries).toContain("one of 4 tries");
  expect([answerView(traded, "100000", 1).tries, answerView(record, "100000", 4).tries]).toEqual([null, null]);
});
