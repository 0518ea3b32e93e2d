import { type DecimalText, money } from "../money.ts";
import { returnsOf } from "../statistics/statistics.ts";
import type { BacktestRecord } from "./record.ts";

/** A run by session, as returns from the close before; fractions. What one session lacks is null. */
export interface RunSeries {
  strategy: number[];
  /** Of the index, dividends reinvested. */
  index: (number | null)[];
  /** Of all stocks in equal parts; null in runs from before it was kept. */
  universe: (number | null)[] | null;
  /** Positions over equity at the close. */
  exposure: number[];
  /** The same on the evening before, when the session's return had yet to come. */
  exposureBefore: number[];
  /** Round trips that were closed in each session. */
  trips: number[];
}

/** Returns of a holding that began with the cash, by its value at the closes. */
function returnsOfHolding(cash: number, values: readonly (number | null)[]): (number | null)[] {
  let before = cash;
  return values.map((value) => {
    if (value === null) return null;
    const change = value / before - 1;
    before = value;
    return change;
  });
}

/** What a stored run says of each session; `cash` is what it began with, USD. */
export function seriesOf({ days, trips }: Pick<BacktestRecord, "days" | "trips">, cash: DecimalText): RunSeries {
  const start = money(cash).toNumber();
  const closed = new Map<string, number>();
  for (const trip of trips) closed.set(trip.closed, (closed.get(trip.closed) ?? 0) + 1);
  return {
    strategy: returnsOf(cash, days.equity),
    index: returnsOfHolding(start, days.index),
    universe: days.universe === undefined ? null : returnsOfHolding(start, days.universe),
    exposure: days.exposure,
    exposureBefore: days.exposure.map((_, i) => (i === 0 ? 0 : days.exposure[i - 1]!)),
    trips: days.sessions.map((session) => closed.get(session) ?? 0),
  };
}

/** Some sessions of a run, from one place to before another. */
export function part(series: RunSeries, from: number, to: number): RunSeries {
  const cut = <T>(values: readonly T[]) => values.slice(from, to);
  return {
    strategy: cut(series.strategy),
    index: cut(series.index),
    universe: series.universe && cut(series.universe),
    exposure: cut(series.exposure),
    exposureBefore: cut(series.exposureBefore),
    trips: cut(series.trips),
  };
}
