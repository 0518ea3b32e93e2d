/**
 * Annualised standard deviation (ddof 1) of the last `n` log returns up to bar i, as a fraction. NaN before index n.
 */
export function volatilityAt(close: Float64Array, i: number, n: number): number {
  if (i < n || n < 2) return Number.NaN;
  // The mean of log returns telescopes, so one pass for the squares is enough.
  const mean = Math.log(close[i]! / close[i - n]!) / n;
  let squares = 0;
  for (let j = i - n + 1; j <= i; j++) {
    const change = Math.log(close[j]! / close[j - 1]!);
    squares += (change - mean) ** 2;
  }
  return Math.sqrt((squares / (n - 1)) * 252);
}

/** Squared log returns of the bars from `from` on, at their own places; the first bar has none. */
function squaredReturns(close: Float64Array, from: number): Float64Array {
  const out = new Float64Array(close.length);
  if (from <= 0) out[0] = Number.NaN;
  for (let i = Math.max(1, from); i < close.length; i++) {
    const change = Math.log(close[i]! / close[i - 1]!);
    out[i] = change * change;
  }
  return out;
}

/** Sum of an even number of values up to and including `last`, odd and even places apart: two sums run beside each other. */
function sumBack(values: Float64Array, last: number, count: number): number {
  let odd = 0;
  let even = 0;
  for (let i = last; i > last - count; i -= 2) {
    odd += values[i]!;
    even += values[i - 1]!;
  }
  return odd + even;
}

/**
 * `sumBack` up to four bars running, into `sums`: each value is read once for the four, and eight sums run beside each other.
 * Every sum adds its own values in the order of `sumBack`.
 */
function sumsBack(values: Float64Array, last: number, count: number, sums: Float64Array): void {
  let odd0 = 0;
  let odd1 = 0;
  let odd2 = 0;
  let odd3 = 0;
  let even0 = 0;
  let even1 = 0;
  let even2 = 0;
  let even3 = 0;
  let a = values[last + 3]!;
  let b = values[last + 2]!;
  let c = values[last + 1]!;
  for (let i = last; i > last - count; i -= 2) {
    const d = values[i]!;
    const e = values[i - 1]!;
    odd3 += a;
    even3 += b;
    odd2 += b;
    even2 += c;
    odd1 += c;
    even1 += d;
    odd0 += d;
    even0 += e;
    a = c;
    b = d;
    c = e;
  }
  sums[0] = odd0 + even0;
  sums[1] = odd1 + even1;
  sums[2] = odd2 + even2;
  sums[3] = odd3 + even3;
}

/** A sum of squares about the mean that is less than this part of the sum of squares has lost too many digits. */
const CANCELLED = 0.01;

function volatilityFrom(squares: number, close: Float64Array, i: number, n: number): number {
  const total = Math.log(close[i]! / close[i - n]!);
  const about = squares - (total * total) / n;
  return about >= CANCELLED * squares ? Math.sqrt((about / (n - 1)) * 252) : volatilityAt(close, i, n);
}

/**
 * `volatilityAt` of bars `from` and later for 60, 126 and 252 returns, equal to 12 digits: the sum of squares less that of the
 * mean, from squares taken once. The three of bar i go side by side to place `at` + i·`step`.
 */
export function volatilitiesInto(out: Float64Array, close: Float64Array, from: number, at: number, step: number): void {
  const squares = squaredReturns(close, from - 251);
  const write = (i: number, of60: number, of66: number, of126: number) => {
    const place = at + i * step;
    out[place] = i < 60 ? Number.NaN : volatilityFrom(of60, close, i, 60);
    out[place + 1] = i < 126 ? Number.NaN : volatilityFrom(of60 + of66, close, i, 126);
    out[place + 2] = i < 252 ? Number.NaN : volatilityFrom(of60 + of66 + of126, close, i, 252);
  };
  const [of60, of66, of126] = [new Float64Array(4), new Float64Array(4), new Float64Array(4)];
  for (let i = from; i < close.length; i++) {
    if (i < 252 || i + 3 >= close.length) {
      const far = i < 126 ? Number.NaN : sumBack(squares, i - 60, 66);
      write(
        i,
        i < 60 ? Number.NaN : sumBack(squares, i, 60),
        far,
        i < 252 ? Number.NaN : sumBack(squares, i - 126, 126),
      );
      continue;
    }
    sumsBack(squares, i, 60, of60);
    sumsBack(squares, i - 60, 66, of66);
    sumsBack(squares, i - 126, 126, of126);
    for (let k = 0; k < 4; k++) write(i + k, of60[k]!, of66[k]!, of126[k]!);
    i += 3;
  }
}
