import fc from "fast-check";
import { expect, it } from "vitest";
import { benchmarkIndex } from "./benchmark.ts";
import { addDays } from "./time.ts";

const closes = (...values: (number | null)[]) =>
  values.map((close, i) => ({ session: addDays("2020-03-16", i), close }));

it("a dividend is reinvested at the close before its ex-date, and a split changes nothing", () => {
  // 300 before the ex-date, 297 after a dividend of 3: nothing was earned. Then two for one.
  const index = benchmarkIndex(closes(300, 300, 297, 148.5), [
    { exDate: "2020-03-17", ratio: 1, dividend: 3 },
    { exDate: "2020-03-18", ratio: 2, dividend: 0 },
  ]);
  const levels = [0, 1, 2, 3].map((day) => index.before(addDays("2020-03-16", day)));
  for (const level of levels) expect(level).toBeCloseTo(300, 9);
  expect(index.at("2020-03-18", 148.5)).toBeCloseTo(300, 9);
  expect(index.at("2020-03-17", 297)).toBeCloseTo(300, 9);
});

it("a dividend on the day of a split is paid on the new shares", () => {
  const index = benchmarkIndex(closes(300, 148.5), [{ exDate: "2020-03-16", ratio: 2, dividend: 1.5 }]);
  expect(index.before("2020-03-17")).toBeCloseTo(300, 9);
});

it("before a dividend that cannot be reinvested levels are known, after it none is made up", () => {
  const index = benchmarkIndex(closes(300, null, 297), [{ exDate: "2020-03-17", ratio: 1, dividend: 3 }]);
  expect(index.before("2020-03-16")).toBe(300);
  expect(index.before("2020-03-18")).toBeNull();
  expect(benchmarkIndex([]).before("2020-03-16")).toBeNull();
});

it("an ex-date never moves the return of the sessions before it, and a dividend only adds", () => {
  const price = fc.double({ min: 50, max: 500, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(price, { minLength: 3, maxLength: 12 }),
      fc.nat(),
      fc.double({ min: 0.01, max: 5, noNaN: true }),
      (prices, n, dividend) => {
        const readings = closes(...prices);
        const place = 1 + (n % (prices.length - 1));
        const exDate = readings[place]!.session;
        const [plain, index] = [benchmarkIndex(readings), benchmarkIndex(readings, [{ exDate, ratio: 1, dividend }])];
        for (const [i, { session }] of readings.entries()) {
          const [without, withIt] = [plain.before(session)!, index.before(session)!];
          if (i <= place) expect(withIt).toBe(without);
          else expect(withIt).toBeGreaterThan(without);
        }
      },
    ),
  );
});
