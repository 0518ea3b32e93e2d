"use client";
import type { Sent } from "@/lib/contracts/endpoint.ts";
import { performanceApi } from "@/lib/contracts/performance.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { Empty } from "../../_ui/empty.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { Skeleton } from "../../_ui/skeleton.tsx";
import { TripTable } from "./trip-table.tsx";

const PAGE_ROWS = 25;
const POLL_MS = 30_000;

export type TripFilter = Omit<Sent<typeof performanceApi.trips>, "cursor" | "limit">;

/** The closed round trips that a filter picks, page by page. */
export function Trips({ filter, isShort = false }: { filter: TripFilter; isShort?: boolean }) {
  const page = useCursorPages(performanceApi.trips, { ...filter, limit: PAGE_ROWS }, { pollMs: POLL_MS });
  const trips = page.data?.trips ?? [];
  const from = page.index * PAGE_ROWS;
  return (
    <div className="flex flex-col gap-3">
      {page.failure !== null && (
        <FailureNote text="Failed to load the round trips" detail={page.failure.message} onRetry={page.retry} />
      )}
      {page.isLoading && <Skeleton className="h-48" />}
      {page.data !== undefined && trips.length === 0 && (
        <Empty
          title="No round trip was closed"
          hint="One closes when a position is flat again. Choose a longer period to see earlier ones."
        />
      )}
      <GreyWhileOld isOld={page.isOld}>
        {trips.length > 0 && <TripTable caption="Closed round trips" trips={trips} isShort={isShort} />}
      </GreyWhileOld>
      {(page.hasNext || page.index > 0) && (
        <div className="print:hidden">
          <Pager
            text={`${from + 1}–${from + trips.length}, latest exit first`}
            hasPrevious={page.index > 0}
            hasNext={page.hasNext}
            isBusy={page.isRefreshing}
            onPrevious={page.previous}
            onNext={page.next}
          />
        </div>
      )}
    </div>
  );
}
