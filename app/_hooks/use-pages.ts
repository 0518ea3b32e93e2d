"use client";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { call, type CallError } from "@/lib/client/api.ts";
import type { tradesApi } from "@/lib/contracts/trades.ts";
import type { Answer, Sent } from "@/lib/contracts/endpoint.ts";

type PagedEndpoint = (typeof tradesApi)["list" | "listAll"];

/** Reads a list page by page, each page by the cursor of the one before. */
export function usePages(endpoint: PagedEndpoint, input: Sent<PagedEndpoint>) {
  const query = useInfiniteQuery<
    Answer<PagedEndpoint>,
    CallError,
    Answer<PagedEndpoint>[],
    unknown[],
    string | undefined
  >({
    queryKey: [endpoint.path, "pages", input],
    queryFn: ({ signal, pageParam }) => call(endpoint, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: (last) => last.pagination.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    select: (data) => data.pages,
  });
  return {
    pages: query.data,
    failure: query.error,
    isLoading: query.isLoading,
    isRefreshing: query.isFetching && !query.isFetchingNextPage,
    isLoadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    retry: () => void query.refetch(),
  };
}
