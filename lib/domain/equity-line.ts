/**
 * What a chart of equity draws beside the line itself. Inputs are the wire's numbers (USD) and ISO instants, ascending;
 * outputs are for the eye: figures that must be exact come from performance.ts.
 */
import type { SideName } from "./enums.ts";
import { type Instant, newYork } from "./time.ts";

export interface LinePoint {
  at: Instant;
  equity: number;
  /** All that came in less what went out until then; absent where nothing ever does (a backtest). */
  netDeposits?: number;
}

export interface BenchmarkPoint {
  at: Instant;
  /** Price or value: only its changes count. */
  value: number;
}

/** Points from an instant on, with the last one before it as the base of the period. */
export function pointsSince<Point extends { at: Instant }>(points: readonly Point[], start: Instant | null): Point[] {
  if (start === null) return [...points];
  const from = points.findIndex(({ at }) => at >= start);
  if (from < 0) return points.slice(-1);
  return points.slice(Math.max(0, from - 1));
}

/** Sessions from which on a line of many days needs no points inside them. */
const DAILY_FROM = 5;

/**
 * The first point, which is the base, and the last one of each New York day, so that every day is as wide as the next; all
 * points while there are fewer than five days, which would be no line.
 */
export function pointsByDay<Point extends { at: Instant }>(points: readonly Point[]): Point[] {
  const byDay = new Map(points.map((point) => [newYork(point.at).date, point]));
  return byDay.size < DAILY_FROM ? [...points] : [...new Set([...points.slice(0, 1), ...byDay.values()])];
}

/** Fall from the highest point so far, percent ≤ 0, by point. Deposits and withdrawals are neither gain nor fall. */
export function drawdownLine(points: readonly LinePoint[]): number[] {
  let [growth, peak] = [1, 1];
  return points.map(({ equity, netDeposits = 0 }, i) => {
    const before = points[i - 1];
    if (before) {
      const start = before.equity + netDeposits - (before.netDeposits ?? 0);
      if (start > 0) growth *= equity / start;
    }
    peak = Math.max(peak, growth);
    return 100 * (growth / peak - 1) || 0;
  });
}

/** What the same money would be worth in the benchmark: it begins and ends with the line and gets the same deposits. */
export function benchmarkLine(points: readonly LinePoint[], benchmark: readonly BenchmarkPoint[]): BenchmarkPoint[] {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return [];
  const base = Math.max(
    0,
    benchmark.findLastIndex(({ at }) => at <= first.at),
  );
  const line: BenchmarkPoint[] = [];
  let [worth, price, deposits, next] = [first.equity, 0, first.netDeposits ?? 0, 0];
  for (const { at, value } of benchmark.slice(base)) {
    if (at > last.at) break;
    // Of a point the deposits until then count; a benchmark that begins later begins with the equity there.
    let here: LinePoint | undefined;
    while (next < points.length && points[next]!.at <= at) here = points[next++];
    const paid = here?.netDeposits ?? deposits;
    if (price === 0) worth = here && line.length === 0 ? here.equity : worth;
    else worth = ((worth + paid - deposits) * value) / price;
    [price, deposits] = [value, paid];
    line.push({ at: at < first.at ? first.at : at, value: worth });
  }
  return line;
}

/**
 * At most about `most` points that look the same: of each stretch the lowest and the highest stay, the first and the last
 * point always.
 */
export function thinned<Point>(points: readonly Point[], most: number, valueOf: (point: Point) => number): Point[] {
  if (points.length <= most) return [...points];
  const stretches = Math.max(1, Math.floor((most - 2) / 2));
  const kept = new Set([0, points.length - 1]);
  for (let i = 0; i < stretches; i++) {
    const from = 1 + Math.floor((i * (points.length - 2)) / stretches);
    const to = 1 + Math.floor(((i + 1) * (points.length - 2)) / stretches);
    let [low, high] = [from, from];
    for (let at = from; at < to; at++) {
      if (valueOf(points[at]!) < valueOf(points[low]!)) low = at;
      if (valueOf(points[at]!) > valueOf(points[high]!)) high = at;
    }
    kept.add(low).add(high);
  }
  return [...kept].sort((a, b) => a - b).map((at) => points[at]!);
}

export interface TradeMark {
  at: Instant;
  side: SideName;
  symbol: string;
  tradeId: string;
  /** USD */
  price: number;
}

/** Trades that share a place on the line. */
export interface MarkCluster {
  /** Index of the point it stands at. */
  point: number;
  side: SideName;
  marks: TradeMark[];
}

/**
 * Marks at the first point that knows of them, buys and sells apart; `stretch` neighbouring points share one place, so that
 * a dense line stays readable. Marks before the line and after its last point are left out.
 */
export function clustersOf(points: readonly LinePoint[], marks: readonly TradeMark[], stretch: number): MarkCluster[] {
  const clusters = new Map<string, MarkCluster>();
  const first = points[0];
  let point = 0;
  for (const mark of marks) {
    while (point < points.length && points[point]!.at < mark.at) point++;
    if (!first || mark.at < first.at || point === points.length) continue;
    const place = Math.floor(point / stretch);
    const key = `${place} ${mark.side}`;
    const cluster = clusters.get(key);
    if (cluster) cluster.marks.push(mark);
    else {
      // At the end of its stretch, so that neighbours stand apart and none before its trades.
      const at = Math.min(points.length, (place + 1) * stretch) - 1;
      clusters.set(key, { point: at, side: mark.side, marks: [mark] });
    }
  }
  return [...clusters.values()].sort((a, b) => a.point - b.point);
}
