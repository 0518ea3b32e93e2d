"use client";
import { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText } from "@/lib/domain/format.ts";
import { useCursorPages } from "../../../_hooks/use-cursor-pages.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { Pager } from "../../../_ui/pager.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { QaResultTable, type QaResult } from "../../qa-result-table.tsx";
import { useMarket } from "../../use-market.ts";

/** Selections on a page, six rules each. */
const PAGE_SELECTIONS = 10;

export function QaHistory({ isOn }: { isOn: boolean }) {
  if (isOn) return <PastResults />;
  return (
    <div className="rounded-xl border border-line bg-surface">
      <Empty
        title="QA history is not yet implemented."
        hint="Results of past selections are kept; the flag qa_history shows them here."
      />
    </div>
  );
}

function PastResults() {
  const { input, only } = useMarket();
  const page = useCursorPages(selectorsApi.qaHistory, { ...input, limit: PAGE_SELECTIONS });
  const selections = only(page.data)?.selections;
  const [newest, oldest] = [selections?.[0], selections?.at(-1)];
  return (
    <section aria-label="History" className="flex flex-col gap-4">
      {page.failure !== null && (
        <FailureNote text="Failed to load QA results data" detail={page.failure.message} onRetry={page.retry} />
      )}
      {selections === undefined && page.failure === null && (
        <div className="overflow-clip rounded-xl border border-line bg-surface">
          <SkeletonRows />
        </div>
      )}
      {selections?.map(({ sessionDate, policyVersion, results }) => (
        <section
          key={sessionDate}
          aria-label={`Selection of ${dateText(sessionDate)}`}
          className="overflow-clip rounded-xl border border-line bg-surface"
        >
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 text-sm font-medium sm:px-5">
            {dateText(sessionDate)}
            <Passed results={results} />
            <span className="text-xs font-normal text-muted">Policy {policyVersion}</span>
          </h2>
          {results.length === 0 ? (
            <p className="px-4 py-4 text-sm text-muted sm:px-5">The rules were not run on this selection.</p>
          ) : (
            <QaResultTable caption={`Results of ${dateText(sessionDate)}`} results={results} />
          )}
        </section>
      ))}
      {(page.hasNext || page.index > 0) && (
        <Pager
          text={newest && oldest ? `${dateText(oldest.sessionDate)} to ${dateText(newest.sessionDate)}` : ""}
          hasPrevious={page.index > 0}
          hasNext={page.hasNext}
          isBusy={page.isRefreshing}
          onPrevious={page.previous}
          onNext={page.next}
        />
      )}
    </section>
  );
}

function Passed({ results }: { results: readonly QaResult[] }) {
  if (results.length === 0) return null;
  const passed = results.filter((result) => result.passed).length;
  return <Badge tone={passed === results.length ? "gain" : "loss"}>{`${passed} of ${results.length} passed`}</Badge>;
}
