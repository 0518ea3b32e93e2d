"use client";
import { RefreshCw } from "lucide-react";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { countText } from "@/lib/domain/format.ts";
import { usePages } from "../../_hooks/use-pages.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { Button } from "../../_ui/button.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { TradeFilters } from "./trade-filters.tsx";
import { TradeSummary } from "./trade-summary.tsx";
import { TradeTable } from "./trade-table.tsx";
import { useTradeFilters } from "./use-trade-filters.ts";

export function TradeHistoryScreen() {
  const { user } = useSession();
  const isAdmin = user?.role === "ADMIN";
  const { filters, hasFilter, change, clear } = useTradeFilters();
  const list = usePages(isAdmin ? tradesApi.listAll : tradesApi.list, filters);
  // A failed fetch empties the list, as specified; the banner says why and offers another try.
  const pages = list.failure === null ? list.pages : undefined;
  const trades = pages?.flatMap((page) => page.trades) ?? [];
  const summary = pages?.[0]?.summary;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl font-semibold tracking-tight">{`Trade History (${countText(summary?.totalTrades ?? 0)} trades)`}</h1>
        <Button tone="secondary" onClick={list.retry} disabled={list.isRefreshing}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </div>
      <TradeFilters filters={filters} hasFilter={hasFilter} onChange={change} onClear={clear} />
      {list.failure !== null && (
        <FailureNote
          text={list.failure.message === "" ? "Failed to fetch trades" : list.failure.message}
          onRetry={list.retry}
        />
      )}
      {summary !== undefined && summary.totalTrades > 0 && <TradeSummary summary={summary} />}
      <div className="overflow-hidden rounded-xl border border-line bg-surface empty:hidden">
        {list.isLoading && (
          <p role="status" className="px-5 py-10 text-center text-muted">
            Loading trade history...
          </p>
        )}
        {!list.isLoading && list.failure === null && trades.length === 0 && (
          <Empty
            title="No trades found"
            hint={
              hasFilter
                ? "Try adjusting your filters to see more results."
                : "Start trading to see your trade history here."
            }
          />
        )}
        {trades.length > 0 && <TradeTable trades={trades} isAdmin={isAdmin} />}
      </div>
      {list.hasMore && list.failure === null && (
        <div className="flex flex-col items-center gap-2">
          <p className="text-xs text-muted">{`${countText(trades.length)} of ${countText(summary?.totalTrades ?? 0)} shown`}</p>
          <Button tone="secondary" onClick={list.loadMore} disabled={list.isLoadingMore}>
            {list.isLoadingMore ? "Loading..." : "Load more"}
          </Button>
        </div>
      )}
    </div>
  );
}
