import { countText } from "../format.ts";

export interface HistoryProgress {
  /** How many symbols the market lists. */
  symbols: number;
  /** Of how many the history was not read yet. */
  waiting: number;
  /** How long reading them takes; null where nothing says. */
  minutes: number | null;
}

/** Of a market's symbols, this share must be there before anything is chosen among them. */
export const LEAST_COVERAGE = 0.95;

/** True where so few histories are missing that the market is screened. */
export const isScreenable = ({ symbols, waiting }: Pick<HistoryProgress, "symbols" | "waiting">): boolean =>
  symbols > 0 && waiting <= symbols * (1 - LEAST_COVERAGE);

/** How far the first reading of a market's history has come. */
export function historyText({ symbols, waiting, minutes }: HistoryProgress): string {
  const done = `History of ${countText(symbols - waiting)} of ${countText(symbols)} stocks is loaded`;
  if (minutes === null) return `${done}.`;
  return `${done}; about ${countText(minutes)} ${minutes === 1 ? "minute" : "minutes"} to go.`;
}
