import type { SessionDate } from "./time.ts";

/** "The close before this session": SPY in raw prices, USD; null where it was not known. */
export interface BenchmarkReading {
  session: SessionDate;
  close: number | null;
}

/** What happened to a share of the benchmark before the open of a session. */
export interface BenchmarkEvent {
  exDate: SessionDate;
  /** New shares per old; 1 without a split. */
  ratio: number;
  /** USD per new share; 0 without a dividend. */
  dividend: number;
}

/** Levels of a total-return index: only ratios of two of them mean something. */
export interface BenchmarkIndex {
  /** At the close before a date: a session's own close is the one before the next day. */
  before(date: SessionDate): number | null;
  /** At a price, USD, within a session. */
  at(session: SessionDate, price: number): number | null;
}

/**
 * Total return of the benchmark: splits adjusted, dividends reinvested at the close before their ex-date (the CRSP convention, as
 * in screening/adjust.ts). Readings ascend by session.
 */
export function benchmarkIndex(
  readings: readonly BenchmarkReading[],
  events: readonly BenchmarkEvent[] = [],
): BenchmarkIndex {
  const placeOf = (date: SessionDate) => {
    let [low, high] = [0, readings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (readings[middle]!.session < date) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const growths = events
    .filter(({ exDate }) => readings[0] !== undefined && exDate >= readings[0].session)
    .map(({ exDate, ratio, dividend }) => {
      const before = readings[placeOf(exDate)]?.close ?? null;
      const prior = before === null ? null : before / ratio;
      // Without the close before it a dividend cannot be reinvested: later levels are not known then.
      const kept = dividend === 0 ? 1 : prior === null || prior <= dividend ? null : 1 - dividend / prior;
      return { exDate, growth: kept === null ? null : ratio / kept };
    });
  const grown = (isIn: (exDate: SessionDate) => boolean): number | null => {
    let growth: number | null = 1;
    for (const event of growths)
      if (isIn(event.exDate)) growth = growth === null || event.growth === null ? null : growth * event.growth;
    return growth;
  };
  const level = (price: number | null, growth: number | null) =>
    price === null || growth === null ? null : price * growth;
  return {
    before(date) {
      const reading = readings[placeOf(date)];
      return reading
        ? level(
            reading.close,
            grown((exDate) => exDate < reading.session),
          )
        : null;
    },
    at: (session, price) =>
      level(
        price,
        grown((exDate) => exDate <= session),
      ),
  };
}

/** Nothing is known of it. */
export const NO_BENCHMARK: BenchmarkIndex = { before: () => null, at: () => null };
