import type { GridAxisName } from "../enums.ts";
import { countText, moneyText } from "../format.ts";
import { type DecimalText, greatest, least, money, text } from "../money.ts";
import { PREFERENCES, type PreferencesView } from "../preferences.ts";
import { type Statistic, statisticsOf } from "../statistics/statistics.ts";
import type { BacktestResult } from "./result.ts";

/** Values that an axis has at most, the run's own among them. */
export const AXIS_VALUES = 5;
/** Fewer show no neighbourhood. */
export const AXIS_VALUES_MIN = 3;

/** Steps away from the run's own value, as parts of it; the later ones where the other side has no room. */
const ABOVE = [1.5, 2, 3, 4];
const BELOW = [0.75, 0.5, 0.3, 0.2];

interface Bounds {
  min: number;
  max: number;
  step: number;
}

/**
 * Up to AXIS_VALUES values in rising order: the own one, and whole steps on both sides of it within the bounds. Where one
 * side has no room the other has more. Throws on bounds without a step.
 */
export function valuesAround(own: DecimalText, { min, max, step }: Bounds): DecimalText[] {
  if (!(step > 0)) throw new RangeError(`a step of ${step}`);
  const at = money(own).div(step);
  const inSteps = (value: number) => money(value).div(step);
  const above: number[] = [];
  const most = inSteps(max).floor().toNumber();
  for (const part of ABOVE) {
    const last = above.at(-1) ?? at.floor().toNumber();
    const next = Math.min(most, Math.max(last + 1, Math.round(at.toNumber() * part)));
    if (next > last) above.push(next);
  }
  const below: number[] = [];
  const fewest = inSteps(min).ceil().toNumber();
  for (const part of BELOW) {
    const last = below.at(-1) ?? at.ceil().toNumber();
    const next = Math.max(fewest, Math.min(last - 1, Math.round(at.toNumber() * part)));
    if (next < last) below.push(next);
  }
  const side = (AXIS_VALUES - 1) / 2;
  const taken = (of: number[], other: number[]) => of.slice(0, side + Math.max(0, side - other.length));
  const texts = (steps: number[]) => steps.map((count) => text(money(count).times(step)));
  return [...texts(taken(below, above).reverse()), text(own), ...texts(taken(above, below))];
}

interface AxisRecord {
  label: string;
  /** What is varied, in a sentence. */
  hint: string;
  own(preferences: PreferencesView): DecimalText;
  bounds(preferences: PreferencesView): Bounds;
  /** The preferences with another value; with the own one they stay as they are. */
  at(preferences: PreferencesView, value: DecimalText): PreferencesView;
  text(value: DecimalText): string;
}

const inDollars = (value: DecimalText) => moneyText(Number(value)).replace(/\.00$/, "");
const inPercent = (value: DecimalText) => `${value}%`;

const { min: VALUE_MIN, max: VALUE_MAX } = PREFERENCES.maxPositionValue.bounds;

/**
 * Order Size and the limit on a position's value hold each other back: raised alone, either changes nothing. Together they
 * are the size of a position.
 */
const positionSize: AxisRecord = {
  label: "Position size",
  hint: "Default Order Size; Max Position Value moves with it, in proportion.",
  own: ({ defaultOrderSize }) => text(defaultOrderSize),
  bounds({ defaultOrderSize, maxPositionValue }) {
    const atLimit = (limit: number) => money(defaultOrderSize).times(limit).div(maxPositionValue);
    return {
      min: greatest(money(1), atLimit(VALUE_MIN).ceil()).toNumber(),
      max: atLimit(VALUE_MAX).floor().toNumber(),
      step: 1,
    };
  },
  at(preferences, value) {
    const { defaultOrderSize, maxPositionValue } = preferences;
    if (money(value).eq(defaultOrderSize)) return preferences;
    const moved = money(maxPositionValue).times(value).div(defaultOrderSize).toDecimalPlaces(0, "half-up");
    const held = least(money(VALUE_MAX), greatest(money(VALUE_MIN), moved));
    return { ...preferences, defaultOrderSize: value, maxPositionValue: text(held) };
  },
  text: inDollars,
};

function percentAxis(name: "profitTarget" | "stopLoss", label: string): AxisRecord {
  return {
    label,
    hint: `${PREFERENCES[name].hint}.`,
    own: (preferences) => text(preferences[name]),
    bounds: () => PREFERENCES[name].bounds,
    at: (preferences, value) => ({ ...preferences, [name]: value }),
    text: inPercent,
  };
}

/** What of a person's settings can be varied. */
export const AXES: Record<GridAxisName, AxisRecord> = {
  MAX_POSITIONS: {
    label: "Max positions",
    hint: `${PREFERENCES.maxPositions.hint}.`,
    own: ({ maxPositions }) => text(maxPositions),
    bounds: () => PREFERENCES.maxPositions.bounds,
    at: (preferences, value) => ({ ...preferences, maxPositions: Number(value) }),
    text: (value) => countText(Number(value)),
  },
  POSITION_SIZE: positionSize,
  PROFIT_TARGET: percentAxis("profitTarget", "Profit target"),
  STOP_LOSS: percentAxis("stopLoss", "Stop loss"),
};

/** One side of a grid. */
export interface GridAxis {
  axis: GridAxisName;
  /** Rising, without a double, the run's own among them. */
  values: DecimalText[];
}

export function axisOf(axis: GridAxisName, preferences: PreferencesView): GridAxis {
  const { own, bounds } = AXES[axis];
  return { axis, values: valuesAround(own(preferences), bounds(preferences)) };
}

/** The place of the run's own value; −1 where it is not among them. */
export const ownPlace = ({ axis, values }: GridAxis, preferences: PreferencesView): number =>
  values.indexOf(AXES[axis].own(preferences));

/** The settings of every cell, row by row. */
export const gridSettings = (preferences: PreferencesView, rows: GridAxis, columns: GridAxis): PreferencesView[][] =>
  rows.values.map((row) =>
    columns.values.map((column) => AXES[columns.axis].at(AXES[rows.axis].at(preferences, row), column)),
  );

/** A figure that may not be defined, and why it is not. */
type Measure = Pick<Statistic, "value" | "reason">;

/** What is kept of one run of a grid: figures of the backtest's own making, ratios as fractions. */
export interface GridCell {
  totalReturn: Measure;
  maxDrawdown: Measure;
  sharpe: Measure;
  /** Round trips that were closed. */
  trades: Measure;
  /** Mean of positions over equity. */
  exposure: Measure;
}

const FIGURES = {
  totalReturn: "total_return",
  maxDrawdown: "max_drawdown",
  sharpe: "sharpe",
  trades: "trades",
  exposure: "mean_exposure",
} as const satisfies Record<keyof GridCell, string>;

/** Of a run's figures those that a grid shows. */
export function cellOfFigures(figures: readonly Statistic[]): GridCell {
  const measure = (id: string): Measure => {
    const { value = null, reason = "not kept when this run was made" } = figures.find((one) => one.id === id) ?? {};
    return { value, reason };
  };
  return Object.fromEntries(Object.entries(FIGURES).map(([name, id]) => [name, measure(id)])) as unknown as GridCell;
}

/** The same result gives the same cell, and the figures of a backtest of it. */
export const cellOf = (result: BacktestResult): GridCell =>
  cellOfFigures(statisticsOf(result, { count: 1, sharpes: [] }));
