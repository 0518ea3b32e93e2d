import type { MinutePath } from "./minute-path.ts";

/** One print of a minute. */
export interface Print {
  /** 0 to 3: opening, the two extremes in their order, closing. */
  place: number;
  /** Milliseconds after the minute's beginning. */
  offsetMs: number;
  price: number;
  size: number;
}

export const PRINTS_PER_MINUTE = 4;
const OFFSETS_MS = [0, 17_000, 41_000, 59_000] as const;

/**
 * The trades of one minute: at most four, whose prices are the minute bar's and whose sizes add up to its volume. The
 * tape knows no more than the bar, so there are no others to invent.
 */
export function printsOf(path: MinutePath, minute: number): Print[] {
  const volume = path.volume[minute] ?? 0;
  const open = path.open[minute] as number;
  const close = path.close[minute] as number;
  const extremes = [path.low[minute] as number, path.high[minute] as number];
  if (close < open) extremes.reverse();
  const part = Math.floor(volume / PRINTS_PER_MINUTE);
  return [open, ...extremes, close].flatMap((price, place) => {
    const size = place === PRINTS_PER_MINUTE - 1 ? volume - 3 * part : part;
    return size > 0 ? [{ place, offsetMs: OFFSETS_MS[place] as number, price, size }] : [];
  });
}
