import { expect, it } from "vitest";
import { statisticsOf, valueOf } from "../statistics/statistics.ts";
import type { BacktestResult } from "./result.ts";
import { strategyHistory, thinned } from "./strategy-history.ts";

const day = (session: string, equity: string, exposure: number, indexReturn: number | null) => ({
  session,
  equity,
  exposure,
  indexReturn,
  universeReturn: null,
  traded: "0",
});
const trade = (outcome: string, pnl: string) => ({ outcome, pnl, pnlFraction: Number(pnl) / 1000, sessionsHeld: 3 });
const result = (days: object[], trades: object[] = []) =>
  ({ config: { cash: "100000" }, days, trades }) as unknown as BacktestResult;

const RUN = result(
  [
    day("2020-06-03", "101000", 0.5, 0.02),
    day("2020-06-04", "98980", 0.25, -0.01),
    day("2020-06-05", "100500.123456789", 0, 0.03),
  ],
  [trade("WIN", "900"), trade("LOSS", "-400"), trade("WIN", "0.12"), trade("SCRATCH", "0")],
);

it("a history has the figures that the run's own statistics have, and a line of both from 100", () => {
  const { points, ...history } = strategyHistory(RUN, "2020-06-02");
  const own = statisticsOf(RUN, { count: 1, sharpes: [] });
  expect(history).toEqual({
    sessions: 3,
    cash: "100000",
    finalEquity: "100500.123456789",
    totalReturn: valueOf(own, "total_return"),
    maxDrawdown: valueOf(own, "max_drawdown"),
    trades: 4,
    winRate: valueOf(own, "win_rate"),
    exposure: 0.25,
    indexReturn: valueOf(own, "index_return"),
  });
  expect([history.totalReturn, history.maxDrawdown, history.winRate]).toEqual([
    expect.closeTo(0.00500123456789, 12),
    expect.closeTo(-0.02, 12),
    expect.closeTo(2 / 3, 12),
  ]);
  expect(points).toEqual([
    { session: "2020-06-02", strategy: 100, index: 100 },
    { session: "2020-06-03", strategy: 101, index: 102 },
    { session: "2020-06-04", strategy: 98.98, index: 100.98 },
    { session: "2020-06-05", strategy: 100.5001, index: 104.0094 },
  ]);
});

it("what is not defined is null: no trade that won or lost, no price of the index", () => {
  const quiet = strategyHistory(
    result([day("2020-06-03", "100000", 0, null), day("2020-06-04", "100000", 0, 0.01)]),
    "2020-06-02",
  );
  expect(quiet).toMatchObject({ trades: 0, winRate: null, totalReturn: 0, maxDrawdown: 0 });
  expect(quiet.points.map(({ index }) => index)).toEqual([null, null, 101]);
  expect(strategyHistory(result([day("2020-06-03", "100000", 0, null)]), "2020-06-02").indexReturn).toBeNull();
  expect(() => strategyHistory(result([]), "2020-06-02")).toThrow(RangeError);
});

it("a long line keeps at most so many points, evenly apart, with the first and the last", () => {
  expect(thinned(0, 60)).toEqual([]);
  expect(thinned(1, 60)).toEqual([0]);
  expect(thinned(60, 60)).toEqual(Array.from({ length: 60 }, (_, i) => i));
  for (const count of [61, 120, 251]) {
    const places = thinned(count, 60);
    expect(places).toHaveLength(60);
    expect([places[0], places.at(-1)]).toEqual([0, count - 1]);
    const steps = places.slice(1).map((place, i) => place - places[i]!);
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...steps) - Math.min(...steps), `steps of ${count}`).toBeLessThanOrEqual(1);
  }
  const days = Array.from({ length: 250 }, (_, i) => day(`day ${i}`, String(100_000 + i), 0, 0.001));
  const { points } = strategyHistory(result(days), "before");
  expect(points).toHaveLength(60);
  expect([points[0]!.session, points.at(-1)!.session]).toEqual(["before", "day 249"]);
});
