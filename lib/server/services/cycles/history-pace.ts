import { setTimeout as delay } from "node:timers/promises";
import type { MarketName } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import { env } from "../../env.ts";
import type { Pace } from "../../providers/market-data.ts";

/** Whole histories of so many symbols fill one page of the source (10,000 bars), and a stop loses no more than these. */
export const SYMBOLS_AT_FIRST = 17;
/** Of the source's limit, what reading history may spend; the rest is left to quotes and news. */
const SHARE = 0.8;

/** Requests a minute that reading a market's history may make; null where they are not limited. */
export const historyRate = (market: MarketName): number | null =>
  market === "PRACTICE" ? null : env().ALPACA_DATA_REQUESTS_PER_MINUTE * SHARE;

/** When the next request of this process may go out, by market. Monotonic time, ms. */
const nextAt = new Map<MarketName, number>();

/** Waits before each request, so that they go out evenly; null where there is no limit. */
export function paceOf(market: MarketName): Pace | undefined {
  const rate = historyRate(market);
  if (rate === null) return undefined;
  return async () => {
    const at = Math.max(performance.now(), nextAt.get(market) ?? 0);
    nextAt.set(market, at + MINUTE_MS / rate);
    await delay(at - performance.now());
  };
}

/** How long it takes to read so many symbols' histories at that pace, in whole minutes; null where there is no limit. */
export function minutesLeft(market: MarketName, waiting: number): number | null {
  const rate = historyRate(market);
  return rate === null ? null : Math.max(1, Math.ceil(waiting / SYMBOLS_AT_FIRST / rate));
}
