import { expect, it } from "vitest";
import { benchmarkLine } from "@/lib/domain/equity-line.ts";
import { runLines } from "./run-lines.ts";

const run = { from: "2020-01-02", cash: 100_000 };
const day = (session: string, equity: number, index: number | null) => ({
  session,
  at: `${session}T21:00:00.000Z`,
  equity,
  index,
});

it("SPY beside a run begins with its cash and holds the return of the first session", () => {
  const { points, benchmark } = runLines({
    run,
    days: [day("2020-01-02", 99_000, 101_000), day("2020-01-03", 99_500, 103_000)],
  });
  expect(points.map(({ equity }) => equity)).toEqual([100_000, 99_000, 99_500]);
  expect(benchmarkLine(points, benchmark)).toEqual([
    { at: "2020-01-02T14:30:00.000Z", value: 100_000 },
    { at: "2020-01-02T21:00:00.000Z", value: 101_000 },
    { at: "2020-01-03T21:00:00.000Z", value: 103_000 },
  ]);
});

it("where SPY traded later only, its line begins there", () => {
  const { points, benchmark } = runLines({
    run,
    days: [day("2020-01-02", 99_000, null), day("2020-01-03", 99_500, 100_000)],
  });
  expect(benchmarkLine(points, benchmark)).toEqual([{ at: "2020-01-03T21:00:00.000Z", value: 99_500 }]);
  expect(runLines({ run, days: [] })).toEqual({
    points: [{ at: "2020-01-02T14:30:00.000Z", equity: 100_000 }],
    benchmark: [],
  });
});
