import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GRID_AXES } from "../enums.ts";
import { money } from "../money.ts";
import { DEFAULT_PREFERENCES, PREFERENCES, type PreferencesView } from "../preferences.ts";
import {
  AXES,
  AXIS_VALUES,
  AXIS_VALUES_MIN,
  axisOf,
  cellOfFigures,
  gridSettings,
  ownPlace,
  valuesAround,
} from "./grid.ts";

const preferences = (change: Partial<PreferencesView> = {}): PreferencesView => ({ ...DEFAULT_PREFERENCES, ...change });

it.each([
  // The own value in the middle, halves and doubles of it around.
  ["20", { min: 1, max: 100, step: 1 }, ["10", "15", "20", "30", "40"]],
  ["3", { min: 1, max: 20, step: 1 }, ["1", "2", "3", "5", "6"]],
  ["3", { min: 0.1, max: 50, step: 0.1 }, ["1.5", "2.3", "3", "4.5", "6"]],
  // At a bound the other side has more.
  ["1", { min: 1, max: 20, step: 1 }, ["1", "2", "3", "4", "5"]],
  ["20", { min: 1, max: 20, step: 1 }, ["4", "6", "10", "15", "20"]],
  ["19", { min: 1, max: 20, step: 1 }, ["6", "10", "14", "19", "20"]],
  ["0.1", { min: 0.1, max: 50, step: 0.1 }, ["0.1", "0.2", "0.3", "0.4", "0.5"]],
  // What lies between two steps stays as it is.
  ["3.05", { min: 0.1, max: 50, step: 0.1 }, ["1.5", "2.3", "3.05", "4.6", "6.1"]],
  // Nothing beside it.
  ["1", { min: 1, max: 1, step: 1 }, ["1"]],
  ["0.5", { min: 1, max: 2, step: 1 }, ["0.5", "1", "2"]],
])("around %s within %j lie %j", (own, bounds, values) => {
  expect(valuesAround(own, bounds)).toEqual(values);
});

describe("of any settings", () => {
  const anyPreferences = fc.record({
    maxPositions: fc.integer({ min: 1, max: 20 }),
    maxPositionValue: fc.integer({ min: 10_000, max: 10_000_000 }).map((hundredths) => String(hundredths / 100)),
    defaultOrderSize: fc.integer({ min: 1, max: 100_000_000 }).map((hundredths) => String(hundredths / 100)),
    profitTarget: fc.integer({ min: 10, max: 5_000 }).map((hundredths) => String(hundredths / 100)),
    stopLoss: fc.integer({ min: 10, max: 5_000 }).map((hundredths) => String(hundredths / 100)),
  });

  it("the values rise without a double, hold the own one, and keep every setting within its bounds", () => {
    fc.assert(
      fc.property(anyPreferences, fc.constantFrom(...GRID_AXES), (change, name) => {
        const settings = preferences(change);
        const axis = axisOf(name, settings);
        const numbers = axis.values.map(Number);
        expect(numbers.length).toBeLessThanOrEqual(AXIS_VALUES);
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
        expect(axis.values[ownPlace(axis, settings)]).toBe(AXES[name].own(settings));
        if (name !== "POSITION_SIZE") expect(numbers).toHaveLength(AXIS_VALUES);
        for (const value of axis.values) {
          const { maxPositions, maxPositionValue, profitTarget, stopLoss, defaultOrderSize } = AXES[name].at(
            settings,
            value,
          );
          expect(Number(defaultOrderSize)).toBeGreaterThan(0);
          for (const [field, held] of Object.entries({ maxPositions, maxPositionValue, profitTarget, stopLoss })) {
            const { min, max } = PREFERENCES[field as "maxPositions"].bounds;
            expect(Number(held), `${field} at ${value}`).toBeGreaterThanOrEqual(min);
            expect(Number(held), `${field} at ${value}`).toBeLessThanOrEqual(max);
          }
        }
      }),
    );
  });

  it("a grid has the settings themselves at the own place, and there alone", () => {
    fc.assert(
      fc.property(
        anyPreferences,
        fc.shuffledSubarray([...GRID_AXES], { minLength: 2, maxLength: 2 }),
        (change, names) => {
          const settings = preferences(change);
          const [rows, columns] = names.map((name) => axisOf(name, settings));
          const cells = gridSettings(settings, rows!, columns!);
          const same = cells.flatMap((line, i) => line.flatMap((one, j) => (isSame(one, settings) ? [[i, j]] : [])));
          expect(same).toEqual([[ownPlace(rows!, settings), ownPlace(columns!, settings)]]);
        },
      ),
    );
  });

  const isSame = (one: PreferencesView, other: PreferencesView) =>
    one.maxPositions === other.maxPositions &&
    (["maxPositionValue", "defaultOrderSize", "profitTarget", "stopLoss"] as const).every((name) =>
      money(one[name]).eq(other[name]),
    );
});

it("the size of a position moves the order and its limit together, and keeps their proportion", () => {
  const settings = preferences({ defaultOrderSize: "5000", maxPositionValue: "8000" });
  const { values } = axisOf("POSITION_SIZE", settings);
  expect(
    values
      .map((value) => AXES.POSITION_SIZE.at(settings, value))
      .map((one) => [one.defaultOrderSize, one.maxPositionValue]),
  ).toEqual([
    ["2500", "4000"],
    ["3750", "6000"],
    ["5000", "8000"],
    ["7500", "12000"],
    ["10000", "16000"],
  ]);
  expect(values.map(AXES.POSITION_SIZE.text)).toEqual(["$2,500", "$3,750", "$5,000", "$7,500", "$10,000"]);
});

it("a size that cannot be moved has no neighbourhood", () => {
  const settings = preferences({ defaultOrderSize: "1", maxPositionValue: "100000" });
  expect(axisOf("POSITION_SIZE", settings).values.length).toBeLessThan(AXIS_VALUES_MIN);
});

it("a cell keeps why a figure is not defined, and says so of one that was not kept", () => {
  const figure = (id: string, value: number | null, reason: string | null) => ({
    id,
    name: id,
    unit: "ratio" as const,
    value,
    reason,
  });
  const cell = cellOfFigures([figure("total_return", 0.1, null), figure("sharpe", null, "fewer than 60 sessions")]);
  expect(cell.totalReturn).toEqual({ value: 0.1, reason: null });
  expect(cell.sharpe).toEqual({ value: null, reason: "fewer than 60 sessions" });
  expect(cell.exposure).toEqual({ value: null, reason: "not kept when this run was made" });
});
