import { describe, expect, it } from "vitest";
import { preferencesApi } from "./preferences.ts";

const DEFAULTS = {
  defaultOrderSize: 1000,
  riskTolerance: "medium",
  paperTradingOnly: true,
  maxPositions: 3,
  maxPositionValue: 1000,
  profitTarget: 5,
  stopLoss: 3,
  checkInterval: 5,
  strategy: "MOMENTUM",
  riskLevel: "MEDIUM",
};

/** What is said of a value of one field; null where it is taken. */
function saidOf(name: string, value: unknown): string | null {
  const { success, error } = preferencesApi.saveTrading.input.safeParse({ ...DEFAULTS, [name]: value });
  if (success) return null;
  expect(error.issues[0]?.path).toEqual([name]);
  return error.issues[0]?.message ?? "";
}

/** Name, label, bounds as the specification gives them, the least step inside, values that no bound forbids. */
const BOUNDED = [
  ["maxPositions", "Max Positions", 1, 20, 1],
  ["maxPositionValue", "Max Position Value", 100, 100_000, 0.01],
  ["profitTarget", "Profit Target", 0.1, 50, 0.1],
  ["stopLoss", "Stop Loss", 0.1, 50, 0.1],
  ["checkInterval", "Check Interval", 1, 60, 1],
] as const;

const inText = (bound: number) => (bound === 100_000 ? "100,000" : String(bound));

describe.each(BOUNDED)("%s", (name, label, min, max, step) => {
  it("is taken at its bounds and one step inside, and refused one step outside in words that name both", () => {
    for (const value of [min, min + step, max - step, max]) expect(saidOf(name, value), String(value)).toBeNull();
    for (const value of [min - step, max + step, 0, -1, -min, 1e300, -1e300]) {
      expect(saidOf(name, value), String(value)).toBe(`${label} must be between ${inText(min)} and ${inText(max)}.`);
    }
  });

  it("is a number and nothing else: not empty, not a text, not a list", () => {
    // An empty field is NaN, which JSON turns into null.
    for (const value of [null, undefined, "", "5", "five", [5], {}, true]) {
      expect(saidOf(name, value), JSON.stringify(value)).toBe(`${label} must be a number.`);
    }
  });
});

it("counts are whole", () => {
  for (const [name, label] of [
    ["maxPositions", "Max Positions"],
    ["checkInterval", "Check Interval"],
  ] as const) {
    expect(saidOf(name, 2.5)).toBe(`${label} must be a whole number.`);
  }
});

it("profit target and stop loss take every tenth from 0.1 to 50, however it is written in binary, and nothing between", () => {
  for (const name of ["profitTarget", "stopLoss"] as const) {
    const refused = Array.from({ length: 500 }, (_, index) => Number(((index + 1) / 10).toFixed(1))).filter(
      (value) => saidOf(name, value) !== null,
    );
    expect(refused, name).toEqual([]);
    for (const value of [0.15, 1.25, 49.99, 33.333]) expect(saidOf(name, value)).toMatch(/goes in steps of 0\.1\.$/);
  }
});

it("the default order size is a number without a bound but that of a number that can be an order", () => {
  for (const value of [0.01, 1, 99, 100_001, 1e9, 1e12]) expect(saidOf("defaultOrderSize", value)).toBeNull();
  expect(saidOf("defaultOrderSize", 0)).toBe("Default Order Size must be more than 0.");
  expect(saidOf("defaultOrderSize", 1e13)).toBe("Default Order Size has too many digits.");
  expect(saidOf("defaultOrderSize", null)).toBe("Default Order Size must be a number.");
});

it.each([
  ["riskTolerance", ["low", "medium", "high"], ["LOW", "none", "", null]],
  ["riskLevel", ["LOW", "MEDIUM", "HIGH"], ["low", "NONE", "", null]],
  ["strategy", ["MOMENTUM", "MEAN_REVERSION", "BREAKOUT"], ["momentum", "MEAN REVERSION", "", null]],
  ["paperTradingOnly", [true, false], ["true", 1, null]],
])("%s is one of its choices", (name, taken, refused) => {
  for (const value of taken) expect(saidOf(name, value), String(value)).toBeNull();
  for (const value of refused) expect(saidOf(name, value), String(value)).not.toBeNull();
});
