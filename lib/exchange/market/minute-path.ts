import { normal, randomOf, seedOf, type Random } from "./seeded.ts";

export interface DayBar {
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}

/** Minute bars of one symbol-day as columns. */
export interface MinutePath {
  minutes: number;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
}

/** Decimal places that the daily values need, at least the cent. */
function placesOf(day: DayBar): number {
  for (let places = 2; places < 4; places += 1) {
    const scale = 10 ** places;
    const fits = [day.open, day.high, day.low, day.close].every(
      (p) => Math.abs(p * scale - Math.round(p * scale)) < 1e-6,
    );
    if (fits) return places;
  }
  return 4;
}

/** The minute in which an extreme is touched: more often near the open and the close, as in real sessions. */
function extremeMinute(random: Random, minutes: number, atOpen: boolean, atClose: boolean): number {
  if (atOpen) return 0;
  if (atClose) return minutes - 1;
  const u = random();
  const bent = u < 0.5 ? 2 * u * u : 1 - 2 * (1 - u) * (1 - u);
  const mixed = random() < 0.5 ? u : u < 0.5 ? bent / 2 : 1 - (1 - bent) / 2;
  return Math.min(minutes - 1, Math.floor(mixed * minutes));
}

function reflect(value: number, low: number, high: number): number {
  if (high <= low) return low;
  let v = value;
  for (let i = 0; i < 8 && (v < low || v > high); i += 1) v = v > high ? 2 * high - v : 2 * low - v;
  return Math.min(high, Math.max(low, v));
}

/** Prices at the minute boundaries: a bridge through the knots, reflected inside the day's range. */
function boundaries(random: Random, day: DayBar, minutes: number, knots: [number, number][]): Float64Array {
  const prices = new Float64Array(minutes + 1);
  const noise = (day.high - day.low) / Math.sqrt(minutes) / 1.7;
  prices[0] = day.open;
  let [t, p] = knots[0] as [number, number];
  let k = 1;
  for (let i = 1; i < minutes; i += 1) {
    while ((knots[k] as [number, number])[0] < i) {
      [t, p] = knots[k] as [number, number];
      k += 1;
    }
    const [t2, p2] = knots[k] as [number, number];
    const left = t2 - t;
    const step = i - t;
    const mean = p + ((p2 - p) * step) / left;
    const spread = noise * Math.sqrt((step * (left - step)) / left);
    p = reflect(mean + spread * normal(random), day.low, day.high);
    t = i;
    prices[i] = p;
  }
  prices[minutes] = day.close;
  return prices;
}

/** U-shaped minute volumes that add up to the day's exactly. */
function volumes(random: Random, total: number, minutes: number): Float64Array {
  const weights = new Float64Array(minutes);
  let sum = 0;
  for (let i = 0; i < minutes; i += 1) {
    const x = (2 * (i + 0.5)) / minutes - 1;
    const weight = (0.55 + 1.5 * x * x) * Math.exp(0.45 * normal(random)) * (i === 0 ? 2.5 : i === minutes - 1 ? 4 : 1);
    weights[i] = weight;
    sum += weight;
  }
  const result = new Float64Array(minutes);
  let before = 0;
  let cumulative = 0;
  for (let i = 0; i < minutes; i += 1) {
    cumulative += weights[i] as number;
    const upTo = i === minutes - 1 ? total : Math.floor((total * cumulative) / sum);
    result[i] = upTo - before;
    before = upTo;
  }
  return result;
}

/** A path with a hole: while trading is halted nothing is traded and the price stands. */
function withHalt(path: MinutePath, fromMinute: number, halted: number): MinutePath {
  const price = path.close[fromMinute - 1] ?? (path.open[0] as number);
  const widened = (column: Float64Array, fill: number) => {
    const result = new Float64Array(path.minutes + halted).fill(fill);
    result.set(column.subarray(0, fromMinute));
    result.set(column.subarray(fromMinute), fromMinute + halted);
    return result;
  };
  return {
    minutes: path.minutes + halted,
    open: widened(path.open, price),
    high: widened(path.high, price),
    low: widened(path.low, price),
    close: widened(path.close, price),
    volume: widened(path.volume, 0),
  };
}

/** The intraday path of a symbol-day, with the minutes of its halt, if there is one, without trades. */
export function minutePath(
  seed: number,
  symbol: string,
  date: string,
  day: DayBar,
  minutes: number,
  halt?: { fromMinute: number; minutes: number },
): MinutePath {
  if (halt === undefined) return tradedPath(seed, symbol, date, day, minutes);
  return withHalt(tradedPath(seed, symbol, date, day, minutes - halt.minutes), halt.fromMinute, halt.minutes);
}

/**
 * A seeded bridge whose minute bars aggregate back to the day's open,
 * high, low, close and volume exactly. Same seed, symbol, date and bar: same path.
 */
function tradedPath(seed: number, symbol: string, date: string, day: DayBar, minutes: number): MinutePath {
  const random = randomOf(seedOf(seed, symbol, date));
  const scale = 10 ** placesOf(day);
  const unit = (p: number) => Math.round(p * scale);
  const ticks: DayBar = {
    open: unit(day.open),
    high: unit(day.high),
    low: unit(day.low),
    close: unit(day.close),
    volume: day.volume,
  };
  const highFirst = random() < 0.5;
  let highAt = extremeMinute(random, minutes, ticks.open === ticks.high, ticks.close === ticks.high);
  let lowAt = extremeMinute(random, minutes, ticks.open === ticks.low, ticks.close === ticks.low);
  const isFree =
    ticks.high !== ticks.open && ticks.high !== ticks.close && ticks.low !== ticks.open && ticks.low !== ticks.close;
  if (isFree && highAt < lowAt !== highFirst) [highAt, lowAt] = [lowAt, highAt];
  const inner: [number, number][] = [
    [highAt + 0.4, ticks.high],
    [lowAt + 0.6, ticks.low],
  ];
  inner.sort((a, b) => a[0] - b[0]);
  const edges = boundaries(random, ticks, minutes, [[0, ticks.open], ...inner, [minutes, ticks.close]]);

  const path: MinutePath = {
    minutes,
    open: new Float64Array(minutes),
    high: new Float64Array(minutes),
    low: new Float64Array(minutes),
    close: new Float64Array(minutes),
    volume: volumes(random, day.volume, minutes),
  };
  const wick = (ticks.high - ticks.low) / Math.sqrt(minutes) / 4;
  for (let i = 0; i < minutes; i += 1) {
    const open = Math.round(edges[i] as number);
    const close = Math.round(edges[i + 1] as number);
    const high = i === highAt ? ticks.high : Math.min(ticks.high, Math.round(Math.max(open, close) + wick * random()));
    const low = i === lowAt ? ticks.low : Math.max(ticks.low, Math.round(Math.min(open, close) - wick * random()));
    path.open[i] = open / scale;
    path.close[i] = close / scale;
    path.high[i] = high / scale;
    path.low[i] = low / scale;
  }
  return path;
}
