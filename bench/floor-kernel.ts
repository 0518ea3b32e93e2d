import type { BarSeries } from "@/lib/domain/screening/features.ts";

/**
 * The floor that the indicators are measured against: plain split loops over typed arrays, running sums, no compensation,
 * no careful seeds of NaN; as fast as this machine does such work in one thread, and right to a few digits only.
 */
export function floorKernel({ high, low, close }: BarSeries): unknown {
  const n = close.length;
  // All series in one buffer: making seventeen arrays would cost more than filling them.
  const buffer = new Float64Array(17 * n);
  let used = 0;
  const series = () => buffer.subarray(used, (used += n));
  const mean = (length: number) => {
    const out = series();
    let total = 0;
    for (let i = 0; i < length; i++) total += close[i]!;
    for (let i = length; i < n; i++) out[i] = (total += close[i]! - close[i - length]!) / length;
    return out;
  };
  const smooth = (values: Float64Array, length: number) => {
    const out = series();
    const k = 2 / (length + 1);
    let current = values[0]!;
    for (let i = 1; i < n; i++) out[i] = current += k * (values[i]! - current);
    return out;
  };
  const [rsi, atr, plus, minus, dx, adx] = [series(), series(), series(), series(), series(), series()];
  let [gain, loss, range, up, down, strength] = [0, 0, 0, 0, 0, 0];
  for (let i = 1; i < n; i++) {
    const change = close[i]! - close[i - 1]!;
    gain += ((change > 0 ? change : 0) - gain) / 14;
    loss += ((change < 0 ? -change : 0) - loss) / 14;
    rsi[i] = (100 * gain) / (gain + loss);
  }
  for (let i = 1; i < n; i++) {
    const prior = close[i - 1]!;
    range += (Math.max(high[i]!, prior) - Math.min(low[i]!, prior) - range) / 14;
    atr[i] = range;
  }
  for (let i = 1; i < n; i++) {
    const rise = high[i]! - high[i - 1]!;
    const fall = low[i - 1]! - low[i]!;
    up += ((rise > fall && rise > 0 ? rise : 0) - up) / 14;
    down += ((fall > rise && fall > 0 ? fall : 0) - down) / 14;
    plus[i] = (100 * up) / atr[i]!;
    minus[i] = (100 * down) / atr[i]!;
    dx[i] = (100 * Math.abs(up - down)) / (up + down);
    adx[i] = strength += (dx[i]! - strength) / 14;
  }
  const middle = mean(20);
  const [upper, lower] = [series(), series()];
  let squares = 0;
  for (let i = 0; i < 20; i++) squares += close[i]! ** 2;
  for (let i = 20; i < n; i++) {
    squares += close[i]! ** 2 - close[i - 20]! ** 2;
    const width = 2 * Math.sqrt(Math.max(0, squares / 20 - middle[i]! ** 2));
    upper[i] = middle[i]! + width;
    lower[i] = middle[i]! - width;
  }
  const [quick, slow, line, histogram] = [smooth(close, 12), smooth(close, 26), series(), series()];
  for (let i = 0; i < n; i++) line[i] = quick[i]! - slow[i]!;
  const signal = smooth(line, 9);
  for (let i = 0; i < n; i++) histogram[i] = line[i]! - signal[i]!;
  return [mean(50), mean(200), smooth(close, 20), rsi, atr, plus, minus, dx, adx, middle, upper, lower, line, signal, histogram]; // oxfmt-ignore
}
