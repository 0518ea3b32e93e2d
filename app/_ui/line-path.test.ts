import { expect, it } from "vitest";
import { linePath, scaleTo } from "./line-path.ts";

it("a line breaks where a value is not known, and a value that stands alone is a dot", () => {
  expect(linePath([1, 2, null, 4], 30, (value) => value)).toBe("M0.0 1.0h0.01L10.0 2.0M30.0 4.0h0.01");
  expect(linePath([5], 30, (value) => value)).toBe("M0.0 5.0h0.01");
  expect(linePath([null, null], 30, (value) => value)).toBe("");
});

it("values fill their box but for the air, the greatest on top; a flat line lies in the middle", () => {
  const y = scaleTo([90, 100, 110], 60, 5);
  expect([y(90), y(100), y(110)]).toEqual([55, 30, 5]);
  expect(scaleTo([100, 100], 60, 5)(100)).toBe(30);
});
