import type { MarketName } from "@/lib/domain/enums.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { addDays, newYork, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../context.ts";
import type { CalendarDay } from "../providers/market-data.ts";

/** The answer's own way takes a part of it. */
const MOST_SKEW_MS = 5_000;
const BACK_DAYS = 600;
const AHEAD_DAYS = 60;

const known = new Map<string, { readFor: SessionDate; days: CalendarDay[] }>();

/** Sessions around a market date from the broker's calendar, read once a market day. */
export async function sessionsAround(context: Context, market: MarketName, date: SessionDate): Promise<CalendarDay[]> {
  const cached = known.get(market);
  if (cached?.readFor === date) return cached.days;
  const days = await context.marketData(market).calendar(addDays(date, -BACK_DAYS), addDays(date, AHEAD_DAYS));
  // No market rests for so long: an empty answer, held for the day, would close it.
  if (days.length === 0) throw new Failure("unavailable", "The market's calendar lists no session.");
  known.set(market, { readFor: date, days });
  return days;
}

export interface MarketMoment {
  now: Instant;
  isOpen: boolean;
  /** The session that runs now or ran today; null on days without one. */
  today: CalendarDay | null;
  /** The next session that has not closed yet. */
  upcoming: CalendarDay | null;
  calendar: CalendarDay[];
}

/** A wrong clock would trade stale quotes and miss deadlines: nothing is decided by it. */
function requireSameTime(theirs: Instant, ours: Date): void {
  const skewMs = ours.getTime() - Date.parse(theirs);
  if (Math.abs(skewMs) <= MOST_SKEW_MS) return;
  throw new Failure(
    "unavailable",
    `This machine's clock differs from the market's by ${Math.round(skewMs / 1000)} s. Nothing is traded until it is correct.`,
  );
}

/** Where the market stands: the broker's clock against the broker's calendar. */
export async function marketMoment(context: Context, market: MarketName): Promise<MarketMoment> {
  const clock = await context.marketData(market).clock();
  // The practice market has a time of its own; the real one has ours, or ours is wrong.
  if (market === "US") requireSameTime(clock.now, context.now());
  const date = newYork(clock.now).date;
  const calendar = await sessionsAround(context, market, date);
  return {
    now: clock.now,
    isOpen: clock.isOpen,
    today: calendar.find((day) => day.session === date) ?? null,
    upcoming: calendar.find((day) => day.closesAt > clock.now) ?? null,
    calendar,
  };
}
