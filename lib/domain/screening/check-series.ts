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

/**
 * Why the bars cannot be trusted; null when they can. A jump overnight that no known split explains is most often
 * a split that the source has not reported: every indicator across it would be wrong.
 */
export function unexplainedJump(series: BarSeries, events: CorporateEvent[]): string | null {
  const { dates, open, close } = adjustForSplits(series, events);
  for (let i = Math.max(1, dates.length - SESSIONS + 1); i < dates.length; i += 1) {
    const ratio = open[i]! / close[i - 1]!;
    if (ratio >= LEAST_RATIO && ratio <= GREATEST_RATIO) continue;
    const percent = `${ratio > 1 ? "+" : ""}${((ratio - 1) * 100).toFixed(0)} %`;
    return `the price jumped by ${percent} into ${dates[i]} without a known split`;
  }
  return null;
}
