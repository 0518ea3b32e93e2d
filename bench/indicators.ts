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

/** The same set for everybody: SMA 50 and 200, EMA 20, RSI 14, ATR 14, ADX 14, Bollinger 20/2, MACD 12/26/9, whole series. */
function ours({ high, low, close }: BarSeries): unknown {
  return [sma(close, 50), sma(close, 200), ema(close, 20), rsi(close, 14), atr(high, low, close, 14), adx(high, low, close, 14), bollinger(close), macd(close)]; // prettier-ignore
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

const ta = new IndicatorsSync();

function ixjb94({ high, low, close }: Arrays): unknown {
  return [ta.sma(close, 50), ta.sma(close, 200), ta.ema(close, 20), ta.rsi(close, 14), ta.atr(high, low, close, 14), ta.adx(high, low, 14), ta.bbands(close, 20, 2), ta.macd(close, 12, 26, 9)]; // prettier-ignore
}

/** All series of the set for `symbols` × `length` bars; the slow libraries do a part of the symbols and are scaled up. */
export function benchIndicators(symbols: number, length: number, rounds: number): Record<string, Timing> {
  const bars = generatedBars(symbols, length, 3);
  const arrays = bars.map(({ high, low, close }) => ({ high: [...high], low: [...low], close: [...close] }));
  const all = (work: (series: BarSeries) => unknown) => measure(rounds, () => bars.forEach((series) => work(series)));
  const part = (share: number, work: (series: Arrays) => unknown): Timing => {
    const some = arrays.slice(0, Math.ceil(symbols * share));
    const timing = measure(Math.min(3, rounds), () => some.forEach((series) => work(series)));
    const scale = symbols / some.length;
    return {
      medianMs: timing.medianMs * scale,
      leastMs: timing.leastMs * scale,
      mostMs: timing.mostMs * scale,
      rounds: timing.rounds,
    };
  };
  return {
    ours: all(ours),
    floor: all(floorKernel),
    technicalindicators: part(0.05, technicalIndicators),
    ixjb94: part(0.2, ixjb94),
  };
}
