import { adjustForSplits } from "./adjust.ts";
import type { BarSeries, CorporateEvent } from "./features.ts";

/** The window that the features look at. */
const SESSIONS = 253;
/**
 * No stock of the S&P 500 opened outside these multiples of its prior close in 2019 and 2020, the March of 2020
 * included; the smallest common splits (2:1 and 1:2) lie beyond them.
 */
const LEAST_RATIO = 0.53;
const GREATEST_RATIO = 1.9;

/** An overnight move that no known split explains. */
export interface Jump {
  /** Place of the bar that it led into, and its date. */
  bar: number;
  date: string;
  /** Open over the close before it, split-adjusted. */
  ratio: number;
}

/** True for an overnight move (the later price over the earlier one, split-adjusted) that is most often a split which no source reported. */
export function isJump(ratio: number): boolean {
  return !(ratio >= LEAST_RATIO && ratio <= GREATEST_RATIO);
}

export function jumpText({ ratio, date }: Pick<Jump, "ratio" | "date">): string {
  const percent = `${ratio > 1 ? "+" : ""}${((ratio - 1) * 100).toFixed(0)} %`;
  return `the price jumped by ${percent} into ${date} without a known split`;
}

/** All jumps into the bars from `first` on, ascending. Splits after a jump change both of its prices: a jump is known with its bar. */
export function jumpsOf(series: BarSeries, events: CorporateEvent[], first = 1): Jump[] {
  const { dates, open, close } = adjustForSplits(series, events);
  const jumps: Jump[] = [];
  for (let bar = Math.max(1, first); bar < dates.length; bar += 1) {
    const ratio = open[bar]! / close[bar - 1]!;
    if (isJump(ratio)) jumps.push({ bar, date: dates[bar]!, ratio });
  }
  return jumps;
}

/** Why the bars up to `lastBar` cannot be trusted; null when they can. Every indicator across a jump would be wrong. */
export function jumpWithin(jumps: readonly Jump[], lastBar: number): string | null {
  const found = jumps.find(({ bar }) => bar > lastBar + 1 - SESSIONS && bar <= lastBar);
  return found === undefined ? null : jumpText(found);
}

/** The same of a whole series, up to its last bar. */
export function unexplainedJump(series: BarSeries, events: CorporateEvent[]): string | null {
  const lastBar = series.dates.length - 1;
  return jumpWithin(jumpsOf(series, events, lastBar + 2 - SESSIONS), lastBar);
}

/** The same of a split that is known by its date alone, a coming one included: it may be too small to be seen as a jump. */
export function unreadSplit({ dates }: BarSeries, exDate: string | undefined): string | null {
  if (exDate === undefined || exDate <= (dates.at(-SESSIONS) ?? "")) return null;
  return `the ratio of the split of ${exDate} could not be read`;
}
