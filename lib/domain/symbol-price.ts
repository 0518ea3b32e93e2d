import { previousSession, sessionHours } from "./market-calendar.ts";
import { type Money, money } from "./money.ts";
import type { BarSeries, CorporateEvent } from "./screening/features.ts";
import { newYork, type Instant, type SessionDate } from "./time.ts";

/** The session that a price of this moment belongs to: today's once it has opened, else the one before. */
export function sessionOfPrice(at: Instant): SessionDate {
  const { date } = newYork(at);
  const hours = sessionHours(date);
  return hours !== null && at >= hours.opensAt ? date : previousSession(date);
}

export interface DayChange {
  amount: Money;
  percent: number;
  /** The session of the close that it counts from. */
  since: SessionDate;
}

/**
 * How a price stands against the close of the session before its own, in USD of its own day. Null where that very close is not
 * among the bars: a change over several days is none of a day.
 */
export function dayChange(
  price: Money,
  at: Instant,
  bars: BarSeries,
  events: readonly CorporateEvent[],
): DayChange | null {
  const session = sessionOfPrice(at);
  const since = previousSession(session);
  const place = bars.dates.lastIndexOf(since);
  const close = bars.close[place];
  if (close === undefined) return null;
  const before = money(close)
    .times(splitFactor(events, since, session))
    .toDecimalPlaces(9);
  if (before.lte(0)) return null;
  const amount = price.minus(before);
  return { amount, percent: amount.div(before).times(100).toNumber(), since };
}

/** What a raw price of one session is multiplied by to compare with prices of a later one. */
export function splitFactor(events: readonly CorporateEvent[], from: SessionDate, to: SessionDate): number {
  return events
    .filter(({ kind, date, value }) => kind === "split" && value > 0 && date > from && date <= to)
    .reduce((factor, { value }) => factor / value, 1);
}

/** Bars of a basis in which the splits after the last of them, up to a session, have happened. */
export function inBasisOf(bars: BarSeries, events: readonly CorporateEvent[], session: SessionDate): BarSeries {
  const last = bars.dates.at(-1);
  const factor = last === undefined ? 1 : splitFactor(events, last, session);
  if (factor === 1) return bars;
  const scaled = (values: Float64Array) => values.map((value) => value * factor);
  return {
    ...bars,
    open: scaled(bars.open),
    high: scaled(bars.high),
    low: scaled(bars.low),
    close: scaled(bars.close),
    volume: bars.volume.map((value) => value / factor),
  };
}
