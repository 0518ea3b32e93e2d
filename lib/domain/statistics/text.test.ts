import { expect, it } from "vitest";
import { statisticText } from "./text.ts";

it("figures of a backtest round as those of every other page: no negative zero, and halves away from zero", () => {
  expect(statisticText({ value: -0.001, unit: "ratio" })).toBe("0.00");
  expect(statisticText({ value: 29 / 400, unit: "share" })).toBe("7.3%");
  expect(statisticText({ value: null, unit: "ratio" })).toBe("—");
});
