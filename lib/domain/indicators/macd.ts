import { ema } from "./ema.ts";

/**
 * MACD: EMA(fast) − EMA(slow), each seeded on its own window; the signal is the EMA of the MACD line seeded on its
 * first values. First valid: slow − 1 (25) and slow + signal − 2 (33) for 12, 26, 9.
 */
export function macd(
  close: Float64Array,
  fast = 12,
  slow = 26,
  signalLength = 9,
): { line: Float64Array; signal: Float64Array; histogram: Float64Array } {
  const quick = ema(close, fast);
  const long = ema(close, slow);
  const line = quick.map((value, i) => value - long[i]!);
  const signal = ema(line, signalLength, slow - 1);
  return { line, signal, histogram: line.map((value, i) => value - signal[i]!) };
}
