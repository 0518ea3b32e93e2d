"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, useSyncExternalStore } from "react";
import { call, type CallError } from "@/lib/client/api.ts";
import type { Answer, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";
import { everySecond } from "./use-now.ts";

const environmentIn = (input: unknown) => (input as { environment?: string } | undefined)?.environment;

/** The key of an answer: what is sent counts, as `call` sends it. */
export const keyOf = (path: string, input: object | undefined) => [
  path,
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  ),
];

interface Options {
  /** Ask again after this time while the tab is visible. */
  pollMs?: number;
  isEnabled?: boolean;
  /** Sends no-cache headers, and keeps no answer for the next screen that asks. */
  isUncached?: boolean;
}

/**
 * The one way a screen reads: data stays while it is asked again and when asking fails; after two
 * missed intervals it is stale and says so. A poll that brings the same answer draws nothing again, unless the screen reads
 * `arrivedAt` or `isRefreshing`.
 */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: Sent<E>,
  { pollMs, isEnabled = true, isUncached = false }: Options = {},
) {
  const client = useQueryClient();
  const queryKey = keyOf(endpoint.path, input as object | undefined);
  const query = useQuery<Answer<E>, CallError>({
    queryKey,
    queryFn: ({ signal }) => call(endpoint, input, { signal, isUncached }),
    refetchInterval: pollMs ?? false,
    ...(isUncached ? { gcTime: 0 } : {}),
    // Figures of another environment are never shown as a placeholder.
    placeholderData: (previous, query) =>
      environmentIn(query?.queryKey[1]) === environmentIn(input) ? previous : undefined,
    enabled: isEnabled,
  });
  const of = JSON.stringify([endpoint.path, input]);
  const [kept, setKept] = useState<{ of: string; failure: CallError | null }>({ of, failure: null });
  const failure = query.error ?? (query.isLoading && kept.of === of ? kept.failure : null);
  if (kept.of !== of || kept.failure !== failure) setKept({ of, failure });
  const isStale = useSyncExternalStore(
    everySecond,
    () => {
      const arrivedAt = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
      return pollMs !== undefined && arrivedAt > 0 && Date.now() > arrivedAt + 2 * pollMs;
    },
    () => false,
  );
  return {
    data: query.data,
    /** Why the last answer is missing. It stays while the screen asks again by itself, else it would come and go with every poll. */
    failure,
    isLoading: query.isLoading && failure === null,
    get isRefreshing() {
      return query.isFetching;
    },
    /** True while the answer to the input before stands in for the one that is on its way. */
    isOld: query.isPlaceholderData,
    /** Wall time at which the data arrived, in ms; 0 before. */
    get arrivedAt() {
      return query.dataUpdatedAt;
    },
    isStale,
    /** Asks again at a person's wish: what failed before is forgotten, so that the wish shows. */
    retry: () => {
      void query.refetch();
      setKept({ of, failure: null });
    },
  };
}
