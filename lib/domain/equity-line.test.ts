import { expect, it } from "vitest";
import {
  benchmarkLine,
  clustersOf,
  drawdownLine,
  pointsByDay,
  pointsSince,
  thinned,
  type TradeMark,
} from "./equity-line.ts";

const day = (n: number) => `2020-01-${String(n).padStart(2, "0")}T21:00:00.000Z`;
const point = (n: number, equity: number, netDeposits = 100) => ({ at: day(n), equity, netDeposits });

it("a period keeps the last point before it as its base", () => {
  const points = [point(1, 100), point(2, 110), point(3, 120)];
  expect(pointsSince(points, null)).toHaveLength(3);
  expect(pointsSince(points, day(3)).map(({ equity }) => equity)).toEqual([110, 120]);
  expect(pointsSince(points, day(9)).map(({ equity }) => equity)).toEqual([120]);
  expect(pointsSince([], day(1))).toEqual([]);
});

it("a line of many days has one point a New York day, the latest; a line of few keeps them all", () => {
  const running = [15, 16, 17].map((hour) => ({ at: `2020-01-05T${hour}:00:00.000Z`, equity: hour }));
  const late = { at: "2020-01-06T01:30:00.000Z", equity: 18 }; // still the 5th in New York
  const closes = [1, 2, 3, 4].map((n) => ({ at: day(n), equity: n }));
  expect(pointsByDay([...closes, ...running, late]).map(({ equity }) => equity)).toEqual([1, 2, 3, 4, 18]);
  expect(pointsByDay([...closes.slice(1), ...running])).toHaveLength(6);
  expect(pointsByDay([])).toEqual([]);
});

it("a withdrawal is no drawdown, and a deposit hides none", () => {
  expect(drawdownLine([point(1, 100), point(2, 50, 50), point(3, 45, 50)])).toEqual([0, 0, expect.closeTo(-10, 9)]);
  expect(drawdownLine([point(1, 100), point(2, 180, 200)])).toEqual([0, expect.closeTo(-10, 9)]);
  expect(
    drawdownLine([
      { at: day(1), equity: 100 },
      { at: day(2), equity: 80 },
    ]),
  ).toEqual([0, expect.closeTo(-20, 9)]);
  expect(drawdownLine([])).toEqual([]);
});

it("the benchmark begins at the line's first point and gets the same deposits", () => {
  const points = [point(1, 100), point(2, 120), point(3, 230, 200)];
  const benchmark = [1, 2, 3].map((n) => ({ at: day(n), value: [300, 330, 330][n - 1]! }));
  expect(benchmarkLine(points, benchmark)).toEqual([
    { at: day(1), value: 100 },
    { at: day(2), value: expect.closeTo(110, 9) },
    { at: day(3), value: expect.closeTo(210, 9) },
  ]);
  // A price from before the line is its base; one that starts later starts at the line.
  expect(benchmarkLine(points.slice(1), benchmark)[0]).toEqual({ at: day(2), value: 120 });
  expect(benchmarkLine(points, benchmark.slice(1))[0]).toEqual({ at: day(2), value: 120 });
  expect(benchmarkLine([], benchmark)).toEqual([]);
  expect(benchmarkLine(points, [])).toEqual([]);
});

it("the benchmark ends with the line, where the line of a period ends earlier", () => {
  const benchmark = [1, 2, 3, 4].map((n) => ({ at: day(n), value: 300 + n }));
  expect(benchmarkLine([point(1, 100), point(2, 120)], benchmark).map(({ at }) => at)).toEqual([day(1), day(2)]);
  expect(benchmarkLine([point(1, 100)], benchmark.slice(1))).toEqual([]);
});

it("thinning keeps the ends, the lowest and the highest of 10,000 points", () => {
  const points = Array.from({ length: 10_000 }, (_, i) => (i === 4321 ? -5 : i === 7654 ? 999 : Math.sin(i / 50)));
  const kept = thinned(points, 500, (value) => value);
  expect(kept.length).toBeLessThanOrEqual(500);
  expect(kept.length).toBeGreaterThan(400);
  expect(kept).toEqual(expect.arrayContaining([-5, 999, points[0], points.at(-1)]));
  expect(thinned([1, 2, 3], 500, (value) => value)).toEqual([1, 2, 3]);
});

it("marks stand at the first point that knows of them, and share a place where they are dense", () => {
  const points = [point(1, 1), point(2, 1), point(3, 1), point(4, 1)];
  const mark = (at: string, side: TradeMark["side"], tradeId: string): TradeMark => ({
    at,
    side,
    symbol: "AMD",
    tradeId,
    price: 50,
  });
  const marks = [
    mark("2019-12-31T15:00:00.000Z", "BUY", "before"),
    mark("2020-01-02T15:00:00.000Z", "BUY", "a"),
    mark("2020-01-03T15:00:00.000Z", "BUY", "b"),
    mark("2020-01-03T16:00:00.000Z", "SELL", "c"),
    mark("2020-01-05T15:00:00.000Z", "SELL", "after"),
  ];
  const places = (stretch: number) =>
    clustersOf(points, marks, stretch).map(({ point: at, marks: those }) => [at, those.map(({ tradeId }) => tradeId)]);
  expect(places(1)).toEqual([
    [1, ["a"]],
    [2, ["b"]],
    [2, ["c"]],
  ]);
  expect(places(4)).toEqual([
    [3, ["a", "b"]],
    [3, ["c"]],
  ]);
});
