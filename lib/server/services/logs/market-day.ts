import type { MarketName } from "@/lib/domain/enums.ts";
import type { Instant } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import type { MarketData } from "../../providers/market-data.ts";

/** A reading of the clock serves all requests within this time: pages that ask every few seconds do not reach the broker. */
const KEPT_MS = 5_000;

const readings = new WeakMap<MarketData, { atMs: number; now: Promise<Instant> }>();

/** Market time, a few seconds old at most: enough to tell which day it is. */
export function marketDay({ marketData, now }: Pick<Context, "marketData" | "now">, market: MarketName) {
  const data = marketData(market);
  const atMs = now().getTime();
  const known = readings.get(data);
  if (known && atMs - known.atMs < KEPT_MS) return known.now;
  const reading = { atMs, now: data.clock().then((clock) => clock.now) };
  readings.set(data, reading);
  // A clock that could not be read is asked again.
  reading.now.catch(() => readings.get(data) === reading && readings.delete(data));
  return reading.now;
}
