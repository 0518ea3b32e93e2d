"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { preferencesApi } from "@/lib/contracts/preferences.ts";
import type { RoleName } from "@/lib/domain/enums.ts";
import { keyOf, useEndpoint } from "../../_hooks/use-endpoint.ts";

type Wanted = Answer<typeof preferencesApi.saveNotifications>;

/** The person is known for a moment before their preferences are asked for. */
const LOAD_AFTER_MS = 100;

/** What the tabs show of a person's preferences: read once the person is known, whichever tab they open first. */
export function usePreferences(role: RoleName) {
  const client = useQueryClient();
  const isReady = useIsAfter(LOAD_AFTER_MS);
  const trading = useEndpoint(
    preferencesApi.readTrading,
    {},
    { isEnabled: isReady && role === "USER", isUncached: true },
  );
  const notifications = useEndpoint(preferencesApi.readNotifications, {}, { isEnabled: isReady });
  /** Reads the trading preferences anew, and shows none until they came: what was saved since the last reading is not in them. */
  const forgetTrading = () =>
    void client.resetQueries({ queryKey: keyOf(preferencesApi.readTrading.path, {}), exact: true });
  /** A save answers what is stored now: until they are read again, that is what was read last. */
  const keepTrading = (saved: Answer<typeof preferencesApi.saveTrading>) =>
    void client.setQueryData(keyOf(preferencesApi.readTrading.path, {}), saved);
  const keepNotifications = (saved: Wanted) =>
    void client.setQueryData(keyOf(preferencesApi.readNotifications.path, {}), saved);
  return { trading, notifications, forgetTrading, keepTrading, keepNotifications };
}

export type Preferences = ReturnType<typeof usePreferences>;

/** A tab that opens after a failure asks again by itself. */
export function useRetryOnOpen({ failure, retry }: Pick<Preferences["trading"], "failure" | "retry">): void {
  const owed = useRef(failure === null ? null : retry);
  useEffect(() => {
    owed.current?.();
    owed.current = null;
  }, []);
}

function useIsAfter(delayMs: number): boolean {
  const [isAfter, setAfter] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAfter(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isAfter;
}
