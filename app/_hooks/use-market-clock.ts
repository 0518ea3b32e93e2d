"use client";
import { automationApi } from "@/lib/contracts/automation.ts";
import { useEndpoint } from "./use-endpoint.ts";
import { useEnvironment } from "./use-environment.ts";
import { useNow } from "./use-now.ts";

const POLL_MS = 15_000;

/**
 * The clock of the market of the environment in view, running on by itself between readings. Null before the first reading, and
 * while none comes.
 */
export function useMarketClock() {
  const { input } = useEnvironment();
  const { data, arrivedAt, isStale } = useEndpoint(automationApi.market, input, { pollMs: POLL_MS });
  const wallNow = useNow();
  // A clock that is read no more, or was of another market, must not run on.
  if (data === undefined || isStale) return null;
  // Runs from the arrival in this browser, not from the server's wall clock: their clocks may differ.
  // While the server renders it stands at the reading.
  const sinceReadingMs = wallNow === null ? 0 : Math.max(0, wallNow - arrivedAt);
  return {
    market: data.market,
    isOpen: data.isOpen,
    speed: data.speed,
    /** market time, ms */
    now: Date.parse(data.now) + sinceReadingMs * data.speed,
  };
}

/** The New York date of the market, which changes once a day and not every second. */
export function useMarketReading() {
  const { input } = useEnvironment();
  return useEndpoint(automationApi.market, input, { pollMs: POLL_MS }).data;
}
