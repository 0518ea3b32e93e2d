import type { BarSeries } from "@/lib/domain/screening/features.ts";
import { addDays } from "@/lib/domain/time.ts";
import { randomFrom } from "./timing.ts";

/** Random walks of raw daily bars; the same seed gives the same bars. Dates are calendar days: only their order counts here. */
export function generatedBars(symbols: number, length: number, seed: number): BarSeries[] {
  const random = randomFrom(seed);
  const dates = Array.from({ length }, (_, i) => addDays("2018-12-03", i));
  return Array.from({ length: symbols }, (_, s) => {
    const bars: BarSeries = {
      symbol: `S${String(s).padStart(5, "0")}`,
      dates,
      open: new Float64Array(length),
      high: new Float64Array(length),
      low: new Float64Array(length),
      close: new Float64Array(length),
      volume: new Float64Array(length),
    };
    const drift = 0.0006 * (random() - 0.35);
    const size = 1e5 + 1e7 * random() ** 3;
    let close = 10 + 200 * random();
    for (let i = 0; i < length; i++) {
      const open = close * (1 + 0.006 * (random() - 0.5));
      close = open * (1 + drift + 0.03 * (random() - 0.5));
      bars.open[i] = open;
      bars.close[i] = close;
      bars.high[i] = Math.max(open, close) * (1 + 0.008 * random());
      bars.low[i] = Math.min(open, close) * (1 - 0.008 * random());
      bars.volume[i] = size * (0.5 + random());
    }
    return bars;
  });
}
