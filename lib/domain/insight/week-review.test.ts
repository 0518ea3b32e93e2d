import { describe, expect, it } from "vitest";
import { GATE_OF } from "../gates/gates.ts";
import { weekHeadline, weekRefusals, type WeekFacts } from "./week-review.ts";

const LOST: WeekFacts = {
  pnl: "-2115.4",
  value: -0.021,
  spy: -0.013,
  isRunning: false,
  trades: 28,
  wins: 0,
  losses: 14,
  scratches: 0,
  exits: [
    { reason: "Protective stop", count: 8 },
    { reason: "Trailing stop", count: 1 },
    { reason: "Regime trim", count: 5 },
  ],
};
const NO_TRIPS = { wins: 0, losses: 0, scratches: 0, exits: [] };
const said = (facts: WeekFacts | null) =>
  weekHeadline(facts)
    .map(({ text }) => text)
    .join("");

describe("the headline of a week", () => {
  it.each<[string, Partial<WeekFacts>]>([
    ["A week of -$2,115.40 (-2.10%), SPY -1.30%. 14 round trips, all lost: 9 at their stops.", {}],
    [
      "A week of -$2,115.40 (-2.10%), SPY -1.30%. 14 round trips, all lost at their stops.",
      { exits: [{ reason: "Protective stop", count: 14 }] },
    ],
    [
      "A week of -$2,115.40 (-2.10%). 14 round trips: 4 won, 9 lost, 1 even; 9 at their stops.",
      { wins: 4, losses: 9, scratches: 1, spy: null },
    ],
    [
      "A week of +$12.00, SPY -1.30%. 3 round trips: 1 won, 2 lost; 1 at its stop.",
      { pnl: "12", value: null, wins: 1, losses: 2, exits: [{ reason: "Protective stop", count: 1 }] },
    ],
    [
      "So far +$12.00 this week (+0.12%), SPY -1.30%. 1 round trip, won.",
      { pnl: "12", value: 0.0012, isRunning: true, ...NO_TRIPS, wins: 1 },
    ],
    [
      "A week of -$3.00 (-2.10%), SPY -1.30%. 1 round trip, lost at its stop.",
      { pnl: "-3", ...NO_TRIPS, losses: 1, exits: [{ reason: "Trailing stop", count: 1 }] },
    ],
    ["A week of -$2,115.40 (-2.10%), SPY -1.30%. No round trip was closed.", { trades: 2, ...NO_TRIPS }],
    [
      "No change over the week (0.00%), SPY +1.00%. Nothing was bought or sold.",
      { pnl: "0", value: 0, spy: 0.01, trades: 0, ...NO_TRIPS },
    ],
    [
      "No change so far. Nothing was bought or sold.",
      { pnl: "0", value: null, spy: null, isRunning: true, trades: 0, ...NO_TRIPS },
    ],
  ])("%s", (text, change) => {
    expect(said({ ...LOST, ...change })).toBe(text);
  });

  it("says that nothing is recorded where nothing is", () => {
    expect(said(null)).toBe("Nothing is recorded of this week.");
  });

  it("marks its amount, so that a screen can cover it", () => {
    expect(weekHeadline(LOST).filter(({ isAmount }) => isAmount)).toEqual([{ text: "-$2,115.40", isAmount: true }]);
  });
});

describe("what refused in a week", () => {
  const line = (tail: string) => `10:05: 503 screened, 50 seated, 9 signals, 0 orders: ${tail}`;
  const { regime, sector, kill_state: kill } = GATE_OF;

  it("is counted by decisions, with the most stocks at once, the most frequent first", () => {
    const refusals = weekRefusals([
      line(`7 ${regime.label}, 2 ${sector.label}`),
      line(`4 ${regime.label}`),
      line(`3 ${regime.label}, 2 ${sector.label}`),
      "a line of another kind",
    ]);
    expect(refusals.decisions).toBe(3);
    expect(refusals.groups).toEqual([
      { code: "regime", text: "Up to 7 stocks wait for a calmer market", decisions: 3 },
      { code: "sector", text: "2 stocks wait because enough of their sectors is held", decisions: 2 },
    ]);
  });

  it("says what stopped the whole account", () => {
    const textOf = (...lines: string[]) => weekRefusals(lines).groups[0]?.text;
    const bought = "10:05: 503 screened, 50 seated, 9 signals, 9 orders";
    expect(textOf(line(kill.label))).toMatch(/^Nothing was bought: it waited for /);
    expect(textOf(line(kill.label), bought, bought)).toMatch(/^One look bought nothing: it waited for /);
    expect(textOf(line(kill.label), line(kill.label), bought)).toMatch(/^2 looks bought nothing: they waited for /);
  });

  it("is empty without a decision", () => {
    expect(weekRefusals([])).toEqual({ decisions: 0, groups: [] });
  });
});
