import { countText, ratioText } from "../format.ts";
import type { GridCell } from "./grid.ts";

/** Where the run's own cell lies. */
export interface GridPlace {
  row: number;
  column: number;
}

/** Total return in percent, as it is shown: what a sentence counts can be counted in the table. */
const shownOf = ({ totalReturn: { value } }: GridCell) => (value === null ? null : Number(ratioText(100 * value, 2)));

const isIdle = ({ trades, exposure }: GridCell) => trades.value === 0 && exposure.value === 0;

const ORDINALS = new Intl.PluralRules("en-US", { type: "ordinal" });
const ENDINGS: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
/** 4 → "4th" */
const ordinal = (place: number) => `${countText(place)}${ENDINGS[ORDINALS.select(place)] ?? "th"}`;

const others = (count: number) => `${countText(count)} ${count === 1 ? "other" : "others"}`;

const cameTo = (percent: number) =>
  percent === 0 ? "came out even" : `${percent < 0 ? "lost" : "made"} ${ratioText(Math.abs(percent), 2)}%`;

/** "17 of the 24 other runs made money, 6 lost money, 1 came out even." */
function neighboursText(neighbours: readonly number[]): string {
  const [made, lost, even] = [
    neighbours.filter((value) => value > 0).length,
    neighbours.filter((value) => value < 0).length,
    neighbours.filter((value) => value === 0).length,
  ];
  const rest = [
    ...(lost > 0 ? [`${countText(lost)} lost money`] : []),
    ...(even > 0 ? [`${countText(even)} came out even`] : []),
  ];
  const first = made === 0 ? "None" : countText(made);
  return `${[`${first} of the ${countText(neighbours.length)} other runs made money`, ...rest].join(", ")}.`;
}

/** Where the settings chosen stand among all runs. */
function rankText(own: number, neighbours: readonly number[]): string {
  const better = neighbours.filter((value) => value > own).length;
  const equal = neighbours.filter((value) => value === own).length;
  const all = neighbours.length + 1;
  const isLast = better + equal === neighbours.length;
  const place = better === 0 ? "best" : isLast ? "worst" : `${ordinal(better + 1)} best`;
  return equal === 0
    ? `The result of the settings chosen is the ${place} of ${countText(all)}.`
    : `The settings chosen share the ${place} result of ${countText(all)} with ${others(equal)}.`;
}

function lessonText(own: number, neighbours: readonly number[]): string {
  const all = [own, ...neighbours];
  if (all.every((value) => value > 0))
    return "Every run made money, so the gain does not depend on the exact value of these two settings.";
  if (all.every((value) => value < 0)) return "Every run lost money, whatever these two settings were.";
  if (own > 0 && neighbours.every((value) => value <= 0))
    return "Only the settings chosen made money: a single good cell among bad ones is usually luck.";
  return "A single good cell among bad ones is usually luck.";
}

/** What the grid says of the settings chosen, by total return. */
export function gridText(cells: readonly (readonly GridCell[])[], { row, column }: GridPlace): string {
  const runs = cells.flat();
  const chosen = cells[row]?.[column];
  const own = chosen === undefined ? null : shownOf(chosen);
  const neighbours = runs.filter((cell) => cell !== chosen).map(shownOf);
  if (own === null || neighbours.length === 0 || !neighbours.every((value) => value !== null))
    return "The runs cannot be compared: some have no total return.";
  if (runs.every(isIdle))
    return `None of the ${countText(runs.length)} runs bought anything, so this past says nothing about these two settings.`;
  if (neighbours.every((value) => value === own))
    return `All ${countText(runs.length)} runs ${cameTo(own)}: in this past these two settings made no difference to the total return.`;
  return [neighboursText(neighbours), rankText(own, neighbours), lessonText(own, neighbours)].join(" ");
}

/** What varying settings costs, before and after: any of the runs could be picked. */
export const gridTriesText = (tries: number): string =>
  `The other ${countText(tries)} runs count as tries in the overfit meter, because the best of them could be picked.`;

/** Why the chosen cell is not the backtest's own result, although it should be; null where it is. */
export function driftText(cell: GridCell, backtest: GridCell): string | null {
  const isSame = (Object.keys(cell) as (keyof GridCell)[]).every((name) => cell[name].value === backtest[name].value);
  return isSame
    ? null
    : "The outlined cell differs from the backtest above: the market's history or the engine has changed since it ran. Run it again before you compare.";
}
