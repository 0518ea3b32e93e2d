import fc from "fast-check";
import { expect, it } from "vitest";
import { answerOf, answersOfParts, TRIPS_MIN } from "./answer.ts";
import { type RunSeries, seriesOf } from "./series.ts";

const days = (count: number) => Array.from({ length: count }, (_, i) => i);
const market = days(252).map((i) => 0.008 * Math.sin(1.3 * i) + 0.0007);
const swings = days(252).map((i) => 0.003 * Math.cos(0.7 * i) * Math.sin(5 * i));

/** A run of a year that holds `exposure` of the market in every session and adds `own` to it. */
function run(exposure: number, own: (i: number) => number): RunSeries {
  return {
    strategy: market.map((value, i) => exposure * value + own(i)),
    index: market,
    universe: null,
    exposure: market.map(() => exposure),
    exposureBefore: market.map(() => exposure),
    trips: market.map((_, i) => (i % 6 === 0 ? 1 : 0)),
  };
}

it("agrees with the figures that were worked out by hand", () => {
  const series = seriesOf(
    {
      days: {
        sessions: ["2020-01-02", "2020-01-03", "2020-01-06"],
        equity: ["1010", "1060.5", "954.45"],
        exposure: [0.5, 1, 0.25],
        index: [1020, 1122, 1009.8],
        universe: [1000, 990, 1089],
      },
      trips: [],
    },
    "1000",
  );
  const answer = answerOf(series, 1);
  // 1 %, 5 %, −10 %.
  expect(answer.strategy.totalReturn).toBeCloseTo(-0.04555, 12);
  expect(answer.strategy.maxDrawdown).toBeCloseTo(-0.1, 12);
  // 2 %, 10 %, −10 % of SPY; nothing held before the first session, then a half, then all of it: 1.05 · 0.9.
  expect(answer.index?.totalReturn).toBeCloseTo(0.0098, 12);
  expect(answer.matched?.totalReturn).toBeCloseTo(-0.055, 12);
  expect(answer.universe?.totalReturn).toBeCloseTo(0.089, 12);
  expect(answer.exposure).toBeCloseTo(1.75 / 3, 12);
  expect([answer.band, answer.regression, answer.isJudged, answer.strategy.annual]).toEqual([null, null, false, null]);
});

it("a run that holds SPY at its own exposure and nothing else differs by nothing, and is as lucky as not", () => {
  fc.assert(
    fc.property(fc.double({ min: 0.01, max: 1, noNaN: true }), fc.integer(), (exposure, seed) => {
      const { strategy, matched, band, isJudged } = answerOf(
        run(exposure, () => 0),
        seed,
      );
      expect(strategy).toEqual(matched);
      expect(band).toEqual({ estimate: 0, low: 0, high: 0, luck: 0.5 });
      expect(isJudged).toBe(true);
    }),
    { numRuns: 20 },
  );
});

it("what is earned beside the market is judged alike at 4.7 % and at full exposure", () => {
  const [little, full] = [0.047, 1].map((exposure) =>
    answerOf(
      run(exposure, (i) => swings[i]! + 0.0002),
      3,
    ),
  );
  expect(little!.band!.estimate).toBeCloseTo(full!.band!.estimate, 9);
  expect(little!.band!.luck).toBeCloseTo(full!.band!.luck, 2);
  expect(little!.exposure).toBeCloseTo(0.047, 12);
  expect([little!.regression!.beta, full!.regression!.beta].map((beta) => beta.toFixed(1))).toEqual(["0.0", "1.0"]);
});

it("skill beyond its swings is distinguished from luck, and the lack of it too", () => {
  const of = (added: number) =>
    answerOf(
      run(0.5, (i) => swings[i]! + added),
      3,
    ).band!;
  expect([of(0.001).low > 0, of(-0.001).high < 0]).toEqual([true, true]);
  expect(of(0.001).luck).toBeLessThan(0.05);
  expect(of(-0.001).luck).toBeGreaterThan(0.95);
});

it("too few round trips are not judged, however many sessions there are", () => {
  const series = run(0.5, (i) => swings[i]!);
  const withTrips = (count: number) =>
    answerOf({ ...series, trips: series.trips.map((_, i) => (i < count ? 1 : 0)) }, 1).isJudged;
  expect([withTrips(TRIPS_MIN - 1), withTrips(TRIPS_MIN)]).toEqual([false, true]);
});

it("a session without a price of SPY leaves nothing to compare with, and the rest stands", () => {
  const series = run(0.5, (i) => swings[i]!);
  const answer = answerOf({ ...series, index: series.index.map((value, i) => (i === 0 ? null : value)) }, 1);
  expect([answer.index, answer.matched, answer.band, answer.isJudged]).toEqual([null, null, null, false]);
  expect(answer.regression?.beta).toBeGreaterThan(0.4);
  expect(answer.indexSessions).toBe(251);
});

it("the parts of a run are the whole of it, one after the other", () => {
  const series = run(0.5, (i) => swings[i]!);
  const parts = answersOfParts(series, 1);
  expect(parts.map(({ from, to }) => [from, to])).toEqual([
    [0, 167],
    [168, 251],
  ]);
  const growth = parts.reduce((all, { answer }) => all * (1 + answer.strategy.totalReturn), 1);
  expect(growth - 1).toBeCloseTo(answerOf(series, 1).strategy.totalReturn, 12);
  expect(parts.reduce((all, { answer }) => all + answer.trips, 0)).toBe(answerOf(series, 1).trips);
});
