import { dollarVolumeAt } from "../indicators/dollar-volume.ts";
import { highestOf, lowestOf } from "../indicators/extremes.ts";
import { lastWilderValues } from "../indicators/last-values.ts";
import { totalMomentumAt } from "../indicators/momentum.ts";
import { smaAt } from "../indicators/sma.ts";
import { lastVolatilities } from "../indicators/volatility.ts";
import { volumeRatioAt } from "../indicators/volume-ratio.ts";
import { adjustForSplits, shareGrowth } from "./adjust.ts";
import type { BarSeries, CorporateEvent, FeatureRow } from "./features.ts";

/** Fewer closed bars than this say nothing about liquidity, so there is no row. */
export const FEATURE_BARS_MIN = 21;

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
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
  const growth = shareGrowth(bars, events);
  const wilder = lastWilderValues(high, low, close);
  const { sigma60, sigma126, sigma252 } = lastVolatilities(close);
  return {
    barCount: count,
    close: close[last]!,
    sma20: orNull(smaAt(close, last, 20)),
    sma50: orNull(smaAt(close, last, 50)),
    sma200: orNull(smaAt(close, last, 200)),
    sma5: orNull(smaAt(close, last, 5)),
    rsi2: orNull(wilder.rsi2),
    rsi14: orNull(wilder.rsi14),
    atr14: orNull(wilder.atr14),
    atr20: orNull(wilder.atr20),
    adx14: orNull(wilder.adx14),
    adx14Prior: orNull(wilder.adx14Prior),
    high20Prior: orNull(highestOf(high, last - 20, last)),
    high55Prior: orNull(highestOf(high, last - 55, last)),
    low10Prior: orNull(lowestOf(low, last - 10, last)),
    high252: orNull(highestOf(high, last - 251, last + 1)),
    momentum12: orNull(totalMomentumAt(bars.close, growth, last, 252)),
    momentum6: orNull(totalMomentumAt(bars.close, growth, last, 126)),
    sigma60: orNull(sigma60),
    sigma252: orNull(sigma252),
    sigma126: orNull(sigma126),
    volumeRatio: orNull(volumeRatioAt(volume, last)),
    adv20: orNull(dollarVolumeAt(close, volume, last)),
    dayReturn: orNull(close[last]! / close[last - 1]! - 1),
    gap: orNull(open[last]! - close[last - 1]!),
  };
}
