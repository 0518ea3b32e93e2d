import { IndicatorsSync } from "@ixjb94/indicators";
import { ADX, ATR, BollingerBands, EMA, MACD, RSI, SMA } from "technicalindicators";
import { adx } from "@/lib/domain/indicators/adx.ts";
import { atr } from "@/lib/domain/indicators/atr.ts";
import { bollinger } from "@/lib/domain/indicators/bollinger.ts";
import { ema } from "@/lib/domain/indicators/ema.ts";
import { macd } from "@/lib/domain/indicators/macd.ts";
import { rsi } from "@/lib/domain/indicators/rsi.ts";
import { sma } from "@/lib/domain/indicators/sma.ts";
import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { floorKernel } from "./floor-kernel.ts";
import { generatedBars } from "./generated-bars.ts";
import { measure, type Timing } from "./timing.ts";

/**
 * The same set for all libraries, whole series: SMA 50 and 200, EMA 20, RSI 14, ATR 14, ADX 14 with ±DI and DX, Bollinger 20/2,
 * MACD 12/26/9 with signal and histogram: fifteen outputs (technicalindicators has no DX: fourteen).
 */
function ours({ high, low, close }: BarSeries): unknown {
  return [sma(close, 50), sma(close, 200), ema(close, 20), rsi(close, 14), atr(high, low, close, 14), adx(high, low, close, 14), bollinger(close), macd(close)]; // oxfmt-ignore
}

interface Arrays {
  high: number[];
  low: number[];
  close: number[];
}

function technicalIndicators({ high, low, close }: Arrays): unknown {
  return [
    SMA.calculate({ period: 50, values: close }),
    SMA.calculate({ period: 200, values: close }),
    EMA.calculate({ period: 20, values: close }),
    RSI.calculate({ period: 14, values: close }),
    ATR.calculate({ period: 14, high, low, close }),
    ADX.calculate({ period: 14, high, low, close }),
    BollingerBands.calculate({ period: 20, stdDev: 2, values: close }),
    MACD.calculate({
      values: close,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    }),
  ];
}

/** It seeds its averages with the first value, takes deviations from sums of squares and keeps no place for the bars before a seed. */
const ta = new IndicatorsSync();

function ixjb94({ high, low, close }: Arrays): unknown {
  return [ta.sma(close, 50), ta.sma(close, 200), ta.ema(close, 20), ta.rsi(close, 14), ta.atr(high, low, close, 14), ta.adx(high, low, 14), ta.bbands(close, 20, 2), ta.macd(close, 12, 26, 9)]; // oxfmt-ignore
}

/** With the three series that our `adx` gives beside ADX. */
function ixjb94Whole(series: Arrays): unknown {
  return [ixjb94(series), ta.di(series.high, series.low, series.close, 14), ta.dx(series.high, series.low, 14)];
}

/** All series of the set for `symbols` × `length` bars; the slowest does a part of the symbols and is scaled up. */
export function benchIndicators(symbols: number, length: number, rounds: number): Record<string, Timing> {
  const bars = generatedBars(symbols, length, 3);
  const arrays = bars.map(({ high, low, close }) => ({ high: [...high], low: [...low], close: [...close] }));
  const some = arrays.slice(0, Math.ceil(symbols * 0.05));
  const scale = symbols / some.length;
  const slow = measure(Math.min(3, rounds), () => some.forEach((series) => technicalIndicators(series)));
  return {
    ours: measure(rounds, () => bars.forEach((series) => ours(series))),
    floor: measure(rounds, () => bars.forEach((series) => floorKernel(series))),
    ixjb94: measure(rounds, () => arrays.forEach((series) => ixjb94Whole(series))),
    ixjb94Twelve: measure(rounds, () => arrays.forEach((series) => ixjb94(series))),
    technicalindicators: {
      medianMs: slow.medianMs * scale,
      leastMs: slow.leastMs * scale,
      mostMs: slow.mostMs * scale,
      rounds: slow.rounds,
    },
  };
}
