"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { automationApi } from "@/lib/contracts/automation.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { keyOf, useEndpoint } from "./use-endpoint.ts";
import { useEnvironment } from "./use-environment.ts";
import { everySecond, useNow } from "./use-now.ts";

const POLL_MS = 15_000;

/**
 * The clock of the market of the environment in view, running on by itself between readings until the market opens or closes: what
 * comes then is asked for. Null before the first reading; while none comes it stands at the last one.
 */
export function useMarketClock() {
  const { input } = useEnvironment();
  const { data, arrivedAt, isStale, retry } = useEndpoint(automationApi.market, input, { pollMs: POLL_MS });
  const wallNow = useNow();
  const clock = data === undefined ? null : clockOf(data, isStale || wallNow === null ? 0 : wallNow - arrivedAt);
  const turned = data !== undefined && clock !== null && clock.now >= turnOf(data) ? turnOf(data) : null;
  const askAgain = useEffectEvent(retry);
  useEffect(() => {
    if (turned !== null) askAgain();
  }, [turned]);
  return clock === null ? null : { ...clock, isAnswering: !isStale };
}

type Reading = Answer<typeof automationApi.market>;

/** When the market opens or closes next, ms: the practice market may go on to another day there. */
const turnOf = ({ isOpen, nextClose, nextOpen }: Reading) => Date.parse(isOpen ? nextClose : nextOpen);

function clockOf(data: Reading, sinceReadingMs: number) {
  // Runs from the arrival in this browser, not from the server's wall clock: their clocks may differ.
  // While the server renders it stands at the reading.
  const now = Date.parse(data.now) + Math.max(0, sinceReadingMs) * data.speed;
  return {
    market: data.market,
    isOpen: data.isOpen,
    speed: data.speed,
    /** market time, ms */
    now: Math.min(now, Math.max(turnOf(data), Date.parse(data.now))),
  };
}

/** A broker is read at least once in half a minute. Wall time. */
const READING_MS = 30_000;

/**
 * True while the market is open and its figures, of this market time, miss two readings in a row. The clock runs on from its last
 * reading: what makes the figures old may keep it from being read, too.
 */
export function useIsBehind(asOf: string | null | undefined): boolean {
  const client = useQueryClient();
  const { input } = useEnvironment();
  const { data } = useEndpoint(automationApi.market, input, { pollMs: POLL_MS });
  return useSyncExternalStore(
    everySecond,
    () => {
      if (asOf == null || data === undefined || !data.isOpen || data.speed === 0) return false;
      const readAt = client.getQueryState(keyOf(automationApi.market.path, input))?.dataUpdatedAt ?? Date.now();
      const now = Date.parse(data.now) + Math.max(0, Date.now() - readAt) * data.speed;
      return now < Date.parse(data.nextClose) && now - Date.parse(asOf) > 2 * READING_MS * data.speed;
    },
    () => false,
  );
}

/** The New York date of the market, which changes once a day and not every second. */
export function useMarketReading() {
  const { input } = useEnvironment();
  return useEndpoint(automationApi.market, input, { pollMs: POLL_MS }).data;
}
