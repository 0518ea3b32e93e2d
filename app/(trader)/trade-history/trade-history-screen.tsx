"use client";
import { Download, RefreshCw } from "lucide-react";
import type { ComponentProps } from "react";
import { failureText } from "@/lib/client/failure-text.ts";
import { tradesApi } from "@/lib/contracts/trades.ts";
import { countText } from "@/lib/domain/format.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useDownload } from "../../_hooks/use-download.ts";
import { useEnvironment } from "../../_hooks/use-environment.ts";
import { useSession } from "../../_hooks/use-session.ts";
import { useSettled } from "../../_hooks/use-settled.ts";
import { useTypedPeriod } from "../../_hooks/use-typed-period.ts";
import { useUrlValues } from "../../_hooks/use-url-values.ts";
import { Button } from "../../_ui/button.tsx";
import { DensityToggle } from "../../_ui/density-toggle.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { EnvironmentSwitch } from "../../_ui/environment-switch.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { PageHead } from "../../_ui/page-head.tsx";
import { PAGE_ROWS } from "../../_ui/page-rows.ts";
import { Pager } from "../../_ui/pager.tsx";
import { Skeleton, SkeletonRows } from "../../_ui/skeleton.tsx";
import type { Sorting } from "../../_ui/table.tsx";
import { PhoneSort, QuickRanges, TradeFilters, useTradeFilters } from "./trade-filters.tsx";
import { TradePanel } from "./trade-panel.tsx";
import { TradeSummary } from "./trade-summary.tsx";
import { TradeTable } from "./trade-table.tsx";
import type { Trade } from "./labels.ts";

const SORTS = ["date", "symbol", "quantity", "price", "total"] as const;

export function TradeHistoryScreen() {
  const { user } = useSession();
  if (!user) return null;
  return <TradeHistory isAdmin={user.role === "ADMIN"} />;
}

/** What the address asks for; what is typed into it, once the typing rests. */
function useTradeQuery() {
  const filters = useTradeFilters();
  const view = useUrlValues({ sort: "date", order: "desc", trade: "" });
  const sort = SORTS.find((each) => each === view.values.sort) ?? "date";
  const direction = view.values.order === "asc" ? "asc" : "desc";
  const symbol = useSettled(filters.values.symbol);
  const { first: startDate, last: endDate } = useTypedPeriod(filters.values.startDate, filters.values.endDate);
  const { input: environment } = useEnvironment();
  const asked = { ...environment, ...filters.values, symbol, startDate, endDate, sort, direction } as const;
  return { filters, view, sorting: { by: sort, direction } as const, asked };
}

function TradeHistory({ isAdmin }: { isAdmin: boolean }) {
  const { filters, view, sorting, asked } = useTradeQuery();
  const page = useCursorPages(isAdmin ? tradesApi.listAll : tradesApi.list, { ...asked, limit: PAGE_ROWS.trades });
  const file = useDownload(isAdmin ? tradesApi.exportAll : tradesApi.export);
  // A failed fetch, and an answer without data, empty the list, as specified; the banner says why and offers another try.
  const isAnswerEmpty = page.failure === null && page.data === null;
  const isEmptied = page.failure !== null || isAnswerEmpty;
  const shown = isEmptied ? undefined : page.data;
  const total = shown?.summary.totalTrades ?? 0;
  const from = page.index * PAGE_ROWS.trades;
  const sort = ({ by, direction: order }: Sorting) => view.change({ sort: by, order });
  return (
    <div className="flex flex-col gap-4">
      <PageHead
        // How many there are is not said before it is known.
        title={shown === undefined && !isEmptied ? "Trade History" : `Trade History (${countText(total)} trades)`}
        environment={<EnvironmentSwitch of={shown} />}
      >
        <DensityToggle />
        <Button tone="secondary" onClick={() => file.run(asked)} disabled={file.isBusy || total === 0}>
          <Download aria-hidden className="size-4" />
          {file.isBusy ? "Exporting..." : "Export CSV"}
        </Button>
        <Button tone="secondary" onClick={page.retry} disabled={page.isRefreshing}>
          <RefreshCw aria-hidden className="size-4" />
          Refresh
        </Button>
      </PageHead>
      <QuickRanges filters={filters.values} onChange={filters.change} />
      <TradeFilters
        filters={filters.values}
        hasFilter={filters.isChanged}
        onChange={filters.change}
        onClear={filters.clear}
      />
      {file.failure !== null && (
        <FailureNote text="Failed to export trades" detail={file.failure.message} onRetry={() => file.run(asked)} />
      )}
      {page.failure !== null && (
        <FailureNote {...failureText(page.failure, "Failed to fetch trades")} onRetry={page.retry} />
      )}
      {isAnswerEmpty && <FailureNote text="No trades data received" onRetry={page.retry} />}
      {page.isLoading && <Skeleton className="h-[146px] w-full sm:h-[90px]" />}
      {shown !== undefined && total > 0 && <TradeSummary summary={shown.summary} />}
      {total > 0 && <PhoneSort sorting={sorting} onSort={sort} />}
      <TradeList
        trades={isEmptied ? [] : shown?.trades}
        isLoading={page.isLoading}
        isOld={page.isOld}
        isFiltered={filters.isChanged}
        isAdmin={isAdmin}
        sorting={sorting}
        onSort={sort}
        onOpen={(trade) => view.open({ trade })}
      />
      {shown !== undefined && (page.hasNext || page.index > 0) && (
        <Pager
          text={`${countText(from + 1)}–${countText(from + shown.trades.length)} of ${countText(total)} trades`}
          hasPrevious={page.index > 0}
          hasNext={page.hasNext}
          isBusy={page.isRefreshing}
          isNewestFirst={sorting.by === "date" && sorting.direction === "desc"}
          onPrevious={page.previous}
          onNext={page.next}
        />
      )}
      <TradePanel id={view.values.trade} isAdmin={isAdmin} onClose={() => view.close({ trade: "" })} />
    </div>
  );
}

interface TradeListProps extends Omit<ComponentProps<typeof TradeTable>, "trades"> {
  /** Absent without an answer. */
  trades: Trade[] | undefined;
  isLoading: boolean;
  /** While the answer to the input before stands in. */
  isOld: boolean;
  isFiltered: boolean;
}

function TradeList({ trades, isLoading, isOld, isFiltered, ...table }: TradeListProps) {
  return (
    <GreyWhileOld isOld={isOld} className="overflow-clip rounded-xl border border-line bg-surface">
      {isLoading && (
        <>
          <p role="status" className="border-b border-line px-5 py-3 text-muted">
            Loading trade history...
          </p>
          <SkeletonRows />
        </>
      )}
      {trades?.length === 0 && (
        <Empty
          title="No trades found"
          hint={
            isFiltered
              ? "Try adjusting your filters to see more results."
              : "Start trading to see your trade history here."
          }
        />
      )}
      {trades !== undefined && trades.length > 0 && <TradeTable trades={trades} {...table} />}
    </GreyWhileOld>
  );
}
