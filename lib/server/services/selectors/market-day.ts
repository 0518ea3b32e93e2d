import type { MarketName } from "@/lib/domain/enums.ts";
import { sessionHours } from "@/lib/domain/market-calendar.ts";
import { newYork, type Instant, type SessionDate } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { logRarely } from "../../log-rarely.ts";

/** When a session opened, in market time: selections stand on what was known before it. */
export const sessionOpening = (session: SessionDate | null): Instant | null =>
  session === null ? null : (sessionHours(session)?.opensAt ?? null);

/** The New York date on the market's own clock; the session's where the clock cannot be read. */
export async function marketToday(
  context: Context,
  market: MarketName,
  session: SessionDate | null,
): Promise<SessionDate | null> {
  try {
    return newYork((await context.marketData(market).clock()).now).date;
  } catch (error) {
    logRarely(context.log, "warn", "market-day.estimated", { market, err: error }, market);
    return session;
  }
}
