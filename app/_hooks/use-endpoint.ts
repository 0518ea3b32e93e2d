"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { call, type CallError } from "@/lib/client/api.ts";
import type { Answer, Endpoint, Sent } from "@/lib/contracts/endpoint.ts";
import { everySecond } from "./use-now.ts";

interface Options {
  /** Ask again after this time while the tab is visible. */
  pollMs?: number;
  isEnabled?: boolean;
  /** Sends no-cache headers. */
  isUncached?: boolean;
}

/**
 * The one way a screen reads: data stays while it is asked again and when asking fails; after two
 * missed intervals it is stale and says so.
 */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: Sent<E>,
  { pollMs, isEnabled = true, isUncached = false }: Options = {},
) {
  const query = useQuery<Answer<E>, CallError>({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal, isUncached }),
    refetchInterval: pollMs ?? false,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  const staleAt = pollMs === undefined || query.dataUpdatedAt === 0 ? Infinity : query.dataUpdatedAt + 2 * pollMs;
  const isStale = useSyncExternalStore(
    everySecond,
    () => Date.now() > staleAt,
    () => false,
  );
  return {
    data: query.data,
    failure: query.error,
    isLoading: query.isLoading,
    isRefreshing: query.isFetching,
    /** True while the answer to the input before stands in for the one that is on its way. */
    isOld: query.isPlaceholderData,
    /** Wall time at which the data arrived, in ms; 0 before. */
    arrivedAt: query.dataUpdatedAt,
    isStale,
    retry: () => void query.refetch(),
  };
}
