import { adx } from "../indicators/adx.ts";
import { atr } from "../indicators/atr.ts";
import { dollarVolumeAt } from "../indicators/dollar-volume.ts";
import { highestOf, lowestOf } from "../indicators/extremes.ts";
import { momentumAt } from "../indicators/momentum.ts";
import { rsi } from "../indicators/rsi.ts";
import { meanOf } from "../indicators/sma.ts";
import { logReturns, volatilityAt } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { adjustForSplits, totalReturnCloses } from "./adjust.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "./features.ts";

/** Fewer closed bars than this say nothing about liquidity, so there is no row. */
export const FEATURE_BARS_MIN = 21;

function orNull(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : value;
}

/**
 * Features of one symbol at its last bar (engine.md §2), from raw bars closed by T and the events known by T. Only the
 * last value of each indicator is kept. Null with fewer than FEATURE_BARS_MIN bars or a last close that is no price.
 */
export function computeFeatures(bars: BarSeries, events: CorporateEvent[]): FeatureRow | null {
  const count = bars.dates.length;
  const last = count - 1;
  if (count < FEATURE_BARS_MIN || !(bars.close[last]! > 0)) return null;
  const { open, high, low, close, volume } = adjustForSplits(bars, events);
  const total = totalReturnCloses(bars, events);
  const strength = adx(high, low, close, 14).adx;
  const returns = logReturns(close, last - 251);
  const volatility = (n: number) => orNull(volatilityAt(close, last, n, returns));
  const average = (n: number) => orNull(meanOf(close, count - n, count));
  return {
    barCount: count,
    close: close[last]!,
    sma20: average(20),
    sma50: average(50),
    sma200: average(200),
    sma5: average(5),
    rsi2: orNull(rsi(close, 2)[last]),
    rsi14: orNull(rsi(close, 14)[last]),
    atr14: orNull(atr(high, low, close, 14)[last]),
    atr20: orNull(atr(high, low, close, 20)[last]),
    adx14: orNull(strength[last]),
    adx14Prior: orNull(strength[last - 1]),
    high20Prior: orNull(highestOf(high, last - 20, last)),
    high55Prior: orNull(highestOf(high, last - 55, last)),
    low10Prior: orNull(lowestOf(low, last - 10, last)),
    high252: orNull(highestOf(high, last - 251, last + 1)),
    momentum12: orNull(momentumAt(total, last, 252)),
    momentum6: orNull(momentumAt(total, last, 126)),
    sigma60: volatility(60),
    sigma252: volatility(252),
    sigma126: volatility(126),
    volumeRatio: orNull(volumeRatioAt(volume, last)),
    adv20: orNull(dollarVolumeAt(close, volume, last)),
    dayReturn: orNull(close[last]! / close[last - 1]! - 1),
    gap: orNull(open[last]! - close[last - 1]!),
  };
}
