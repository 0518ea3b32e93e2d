import { describe, expect, it } from "vitest";
import { exampleFeatures, examplePolicy, examplePosition, exampleSymbol } from "@/lib/proof/example-market.ts";
import { exitReason } from "./exits.ts";
import { exampleMarket } from "@/lib/proof/example-market.ts";
import type { StrategyName } from "./enums.ts";
import { money } from "./money.ts";
import { positionEnds } from "./position-ends.ts";
import { meanReversion } from "./strategies/mean-reversion.ts";

const POLICY = examplePolicy;
const closes = Float64Array.from({ length: 250 }, (_, i) => 100 + (i % 7));
const bars = { symbol: "HD", dates: [], open: closes, high: closes, low: closes, close: closes, volume: closes };
const review = { highestClose: "120", entryAtr: 2, weakReviews: 0, belowTrend: 1, reviewedSession: null };
const view = exampleSymbol("HD", { features: exampleFeatures({ atr14: 2, atr20: 2, close: 118 }) });

const endsOf = (strategy: StrategyName | null, change: Partial<Parameters<typeof positionEnds>[0]> = {}) =>
  positionEnds({
    position: { ...examplePosition("HD", { strategy, openedSession: "2020-02-03", avgEntryPrice: "110" }), review },
    review,
    resting: { stop: money("104.5"), target: money("126") },
    view,
    bars,
    policy: POLICY,
    hold: null,
    ...change,
  }).map(({ text }) => text);

it("a momentum position ends at its stop, its target, its trailing stop, or with its rise", () => {
  expect(endsOf("MOMENTUM")).toEqual([
    "Sold when it trades at $104.50 or below: its stop rests at the broker.",
    "Sold when it trades at $126.00 or above: its target rests at the broker.",
    "Sold when it closes below $114.00, its trailing stop: the level rises with its highest close.",
    expect.stringMatching(
      /^Sold when it closes below its 200-day average \(\$10\d\.\d\d\), 2 sessions in a row \(1 so far\)\.$/,
    ),
    expect.stringMatching(/^Sold when its rise falls behind that of \d+% of the market, 2 sessions in a row\.$/),
    expect.stringContaining("Beyond these"),
  ]);
});

it("a mean-reversion position ends on a day: seven sessions on, the holiday left out", () => {
  expect(endsOf("MEAN_REVERSION", { resting: { stop: null, target: null } })).toContain(
    "Sold on 12 Feb 2020 at the latest.",
  );
  const overHoliday = {
    ...examplePosition("HD", { strategy: "MEAN_REVERSION" as const, openedSession: "2020-02-13" }),
    review,
  };
  expect(endsOf("MEAN_REVERSION", { position: overHoliday })).toContain("Sold on 25 Feb 2020 at the latest.");
});

it("a breakout's time ends unless it has gained what the policy asks", () => {
  const early = { ...review, highestClose: "113.99" };
  expect(endsOf("BREAKOUT", { review: early })).toContain(
    "Sold on 18 Feb 2020 at the latest, unless it has closed at $114.00 or above by then.",
  );
  expect(endsOf("BREAKOUT", { review: { ...review, highestClose: "114" } }).join(" ")).not.toContain("at the latest");
});

it("where only protective sales leave, nothing else is said to sell it", () => {
  const resting = endsOf("BREAKOUT").slice(0, 2);
  expect(resting.every((text) => text.includes("rests at the broker"))).toBe(true);
  expect(endsOf("BREAKOUT", { hold: "HALTED" })).toEqual([
    ...resting,
    "While the account is halted Tradewind sends no other sale of it.",
  ]);
  expect(endsOf("MOMENTUM", { hold: "PAPER_ONLY" }).slice(2)).toEqual([
    "While Paper Trading Only is on Tradewind sends no other sale of it, unless you sell it or a kill switch closes everything.",
  ]);
});

describe("a line is told to the cent on its own side", () => {
  const said = (strategy: StrategyName, change: Parameters<typeof endsOf>[1]) => endsOf(strategy, change).join(" ");

  it("what sells below it is rounded up: a close below the price shown is sold, and one at it is not beyond", () => {
    // 3 ATR of 2 below the highest close.
    expect(said("MOMENTUM", { review: { ...review, highestClose: "99.9445" } })).toContain("closes below $93.95, its");
    expect(said("MOMENTUM", { review: { ...review, highestClose: "99.94" } })).toContain("closes below $93.94, its");
    const lows = closes.map(() => 93.9445);
    expect(said("BREAKOUT", { bars: { ...bars, low: lows } })).toContain("10 sessions before ($93.95)");
    const flat = closes.map(() => 101.2445);
    expect(said("MOMENTUM", { bars: { ...bars, close: flat } })).toContain("200-day average ($101.25)");
  });

  it("what sells above it is rounded down", () => {
    const flat = closes.map(() => 101.2473);
    expect(said("MEAN_REVERSION", { bars: { ...bars, close: flat } })).toContain("5-day average ($101.24)");
  });

  it("what keeps a position at or above it is rounded up", () => {
    const early = { ...review, highestClose: "111", entryAtr: 1.00211 };
    const position = { ...examplePosition("HD", { strategy: "BREAKOUT" as const, avgEntryPrice: "98.32" }), review };
    expect(said("BREAKOUT", { position, review: { ...early, highestClose: "98" } })).toContain("at $100.33 or above");
  });

  it("an order's price is told in all its digits", () => {
    const resting = { stop: money("0.9345"), target: money("1.05") };
    expect(said("BREAKOUT", { resting })).toContain("trades at $0.9345 or below");
  });
});

it("the day that is shown is the first on which the engine sells for time", () => {
  const position = {
    ...examplePosition("HD", { strategy: "BREAKOUT", openedSession: "2020-02-03" }),
    review: { ...review, highestClose: "100" },
  };
  const reasonOn = (date: string) => {
    const market = exampleMarket([view], [], {});
    return exitReason(position, position.review, { ...market, session: { ...market.session, date } }, POLICY, {
      stopLoss: "3",
      profitTarget: "5",
    });
  };
  expect(reasonOn("2020-02-14")).not.toBe("time_stop");
  expect(reasonOn("2020-02-18")).toBe("time_stop");
});

it("shares that Tradewind did not buy are not sold by a strategy", () => {
  expect(endsOf(null, { resting: { stop: null, target: null } })).toEqual([
    "Tradewind did not buy these shares, and its strategies sell none of them.",
  ]);
});

it("a next close beyond the price that is shown lies beyond the average that it makes, and one within does not", () => {
  const [line] = meanReversion.exitLines({ closes, lows: closes, review, policy: POLICY });
  const price = line?.price ?? 0;
  const meanWith = (close: number) => (closes.slice(-4).reduce((a, b) => a + b, 0) + close) / 5;
  expect(price + 0.01).toBeGreaterThan(meanWith(price + 0.01));
  expect(price - 0.01).toBeLessThan(meanWith(price - 0.01));
});
