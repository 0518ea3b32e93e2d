import { expect, it } from "vitest";
import { historyBasis, historyLabel, historySentence, type HistoryFacts, tooFewSessions } from "./history-text.ts";

const told = (change: Partial<HistoryFacts> = {}): HistoryFacts => ({
  sessions: 250,
  from: "2019-07-05",
  to: "2020-06-30",
  cash: 100_000,
  totalReturn: 0.0021,
  indexReturn: 0.0734,
  maxDrawdown: -0.0042,
  trades: 41,
  winRate: 0.5625,
  exposure: 0.0213,
  ...change,
});

it("a history says what it is of, and what it began with", () => {
  expect(historyLabel(told())).toBe(
    "Backtest of the last 250 sessions (from 5 Jul 2019 to 30 Jun 2020), costs included; not your account.",
  );
  expect(historyBasis(told())).toBe(
    "With 10 positions of at most $10,000.00 and otherwise default settings, starting from $100,000.00. On average 2.1% of the money was invested; the rest was cash that earns nothing. SPY is held with all of the money.",
  );
});

it.each<[Partial<HistoryFacts>, string]>([
  [
    {},
    "Momentum +0.21%, over the same sessions SPY +7.34%; largest fall -0.42%; 41 trades ended, 56.3% of them with a gain (break-even trades are not counted).",
  ],
  [
    { totalReturn: -0.01, indexReturn: null, trades: 1, winRate: 0 },
    "Momentum -1.00%, over the same sessions SPY did not trade; largest fall -0.42%; 1 trade ended, without a gain.",
  ],
  [
    { trades: 1, winRate: 1 },
    "Momentum +0.21%, over the same sessions SPY +7.34%; largest fall -0.42%; 1 trade ended, with a gain.",
  ],
  [
    { trades: 1, winRate: null },
    "Momentum +0.21%, over the same sessions SPY +7.34%; largest fall -0.42%; 1 trade ended, at break-even.",
  ],
  [
    { totalReturn: 0, maxDrawdown: 0, trades: 0, winRate: null },
    "Momentum 0.00%, over the same sessions SPY +7.34%; largest fall 0.00%; no trade ended.",
  ],
])("its figures read as one sentence: %j", (change, sentence) =>
  expect(historySentence("Momentum", told(change))).toBe(sentence),
);

it("a market that is too young says how far it is", () => {
  expect(tooFewSessions(1, 40)).toBe(
    "Too few sessions: 1 session of this market can be traded so far, and a history takes 40.",
  );
  expect(tooFewSessions(39, 40)).toContain("39 sessions of this market");
});
