import fc from "fast-check";
import { expect, it } from "vitest";
import type { GridCell } from "./grid.ts";
import { driftText, gridText, gridTriesText } from "./grid-text.ts";

const defined = (value: number) => ({ value, reason: null });
const cell = (totalReturn: number, change: Partial<GridCell> = {}): GridCell => ({
  totalReturn: defined(totalReturn),
  maxDrawdown: defined(-0.05),
  sharpe: { value: null, reason: "fewer than 60 sessions" },
  trades: defined(4),
  exposure: defined(0.3),
  ...change,
});
/** Percent by row, the chosen one in the middle. */
const said = (...rows: number[][]) =>
  gridText(
    rows.map((row) => row.map((percent) => cell(percent / 100))),
    { row: Math.floor(rows.length / 2), column: Math.floor(rows[0]!.length / 2) },
  );

it.each([
  [
    [
      [1, 2, -3],
      [4, 3, 0],
      [-1, 5, 2],
    ],
    "5 of the 8 other runs made money, 2 lost money, 1 came out even. The result of the settings chosen is the 3rd best of 9. A single good cell among bad ones is usually luck.",
  ],
  [
    [
      [-1, -2, -3],
      [-4, 3, 0],
      [-1, -5, -2],
    ],
    "None of the 8 other runs made money, 7 lost money, 1 came out even. The result of the settings chosen is the best of 9. Only the settings chosen made money: a single good cell among bad ones is usually luck.",
  ],
  [
    [[1, 2, 3]],
    "2 of the 2 other runs made money. The result of the settings chosen is the 2nd best of 3. Every run made money, so the gain does not depend on the exact value of these two settings.",
  ],
  [
    [[-1, -4, -3]],
    "None of the 2 other runs made money, 2 lost money. The result of the settings chosen is the worst of 3. Every run lost money, whatever these two settings were.",
  ],
  // Ties.
  [
    [[2, 2, 1]],
    "2 of the 2 other runs made money. The settings chosen share the best result of 3 with 1 other. Every run made money, so the gain does not depend on the exact value of these two settings.",
  ],
  [
    [
      [1, 3, -2],
      [1, 1, 2],
      [-1, -1, 1],
    ],
    "5 of the 8 other runs made money, 3 lost money. The settings chosen share the 3rd best result of 9 with 3 others. A single good cell among bad ones is usually luck.",
  ],
  [
    [[3, 1, 1]],
    "2 of the 2 other runs made money. The settings chosen share the worst result of 3 with 1 other. Every run made money, so the gain does not depend on the exact value of these two settings.",
  ],
  // What reads the same counts as the same.
  [
    [[0.0049, -0.0049, 1]],
    "1 of the 2 other runs made money, 1 came out even. The settings chosen share the worst result of 3 with 1 other. A single good cell among bad ones is usually luck.",
  ],
  [[[1.5, 1.5, 1.5]], "All 3 runs made 1.50%: in this past these two settings made no difference to the total return."],
  [
    [[-1.5, -1.5, -1.5]],
    "All 3 runs lost 1.50%: in this past these two settings made no difference to the total return.",
  ],
  [[[0, 0, 0]], "All 3 runs came out even: in this past these two settings made no difference to the total return."],
])("%j reads as it is", (percents, text) => {
  expect(said(...percents)).toBe(text);
});

it("runs that bought nothing say nothing, and a missing return is no comparison", () => {
  const idle = cell(0, { trades: defined(0), exposure: defined(0) });
  const here = { row: 0, column: 1 };
  expect(gridText([[{ ...idle }, { ...idle }, { ...idle }]], here)).toBe(
    "None of the 3 runs bought anything, so this past says nothing about these two settings.",
  );
  // A position that is still held is no round trip, and was bought.
  expect(gridText([[{ ...idle }, { ...idle }, cell(0, { trades: defined(0) })]], here)).toContain("came out even");
  const missing = cell(0, { totalReturn: { value: null, reason: "" } });
  expect(gridText([[missing, cell(1), cell(1)]], here)).toContain("cannot be compared");
  expect(gridText([[cell(1)]], { row: 2, column: 2 })).toContain("cannot be compared");
});

it("what it counts adds up to the other runs, and the place to all of them", () => {
  const percents = fc.array(fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 5, maxLength: 5 }), {
    minLength: 5,
    maxLength: 5,
  });
  fc.assert(
    fc.property(percents, (rows) => {
      const text = said(...rows);
      if (text.startsWith("All 25")) return expect(new Set(rows.flat()).size).toBe(1);
      const count = (pattern: RegExp) => Number(pattern.exec(text)?.[1]?.replace("None", "0") ?? 0);
      const counted = [/^(\d+|None) of the 24/, /(\d+) lost money/, /(\d+) came out even/].map(count);
      expect(counted.reduce((total, each) => total + each, 0)).toBe(24);
      const own = rows[2]![2]!;
      const better = rows.flat().filter((value) => value > own).length;
      const place = /(best|worst|(\d+)\w\w best)/.exec(text.split(". ")[1]!);
      if (place?.[2] !== undefined) expect(Number(place[2])).toBe(better + 1);
      else expect(place?.[1]).toBe(better === 0 ? "best" : "worst");
      expect(text.includes("Every run made money")).toBe(rows.flat().every((value) => value > 0));
    }),
  );
});

it("the runs count as tries, and a chosen cell that is not the backtest says so", () => {
  expect(gridTriesText(24)).toBe(
    "The other 24 runs count as tries in the overfit meter, because the best of them could be picked.",
  );
  expect(driftText(cell(0.1), cell(0.1))).toBeNull();
  expect(driftText(cell(0.1), cell(0.1, { trades: defined(5) }))).toContain("has changed since it ran");
});
