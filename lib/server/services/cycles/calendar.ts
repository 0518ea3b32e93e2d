import type { SessionDate } from "@/lib/domain/time.ts";
import { addDays, newYork, type Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { CalendarDay } from "../../providers/market-data.ts";

const BACK_DAYS = 600;
const AHEAD_DAYS = 60;

const known = new Map<string, { readFor: SessionDate; days: CalendarDay[] }>();

/** Sessions around a market date from the broker's calendar, read once a market day. */
export async function sessionsAround(
  context: Context,
  market: "PRACTICE" | "US",
  date: SessionDate,
): Promise<CalendarDay[]> {
  const cached = known.get(market);
  if (cached?.readFor === date) return cached.days;
  const days = await context.marketData(market).calendar(addDays(date, -BACK_DAYS), addDays(date, AHEAD_DAYS));
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

/** Where the market stands: the broker's clock against the broker's calendar. */
export async function marketMoment(context: Context, market: "PRACTICE" | "US"): Promise<MarketMoment> {
  const clock = await context.marketData(market).clock();
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
