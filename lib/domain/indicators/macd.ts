import { emaInto } from "./ema.ts";

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
  const length = close.length;
  // One buffer for all three: making an array costs more than filling it.
  const buffer = new Float64Array(3 * length);
  const line = emaInto(buffer.subarray(0, length), close, fast, 0);
  const signal = buffer.subarray(length, 2 * length);
  const histogram = emaInto(buffer.subarray(2 * length), close, slow, 0);
  for (let i = 0; i < length; i++) line[i] = line[i]! - histogram[i]!;
  emaInto(signal, line, signalLength, slow - 1);
  for (let i = 0; i < length; i++) histogram[i] = line[i]! - signal[i]!;
  return { line, signal, histogram };
}
