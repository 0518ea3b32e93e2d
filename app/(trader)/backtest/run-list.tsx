"use client";
import Link from "next/link";
import { useState } from "react";
import { BACKTEST_BOUNDS, backtestsApi } from "@/lib/contracts/backtests.ts";
import { ratioText } from "@/lib/domain/format.ts";
import { STRATEGIES } from "@/lib/domain/strategies/strategies.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { EnvironmentBadge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { TextButton } from "../../_ui/button.tsx";
import { ConfirmDialog } from "../../_ui/confirm-dialog.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { AmountsText, Money } from "../../_ui/money.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { isUnderWay } from "../../_ui/run-progress.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { RunStatus } from "./run-status.tsx";
import { MARKET_LABELS, type RunRow, spanText } from "./labels.ts";

interface RunListProps {
  rows: readonly RunRow[];
  compared: readonly string[];
  canCompareMore: boolean;
  onToggle: (id: string) => void;
}

const link = "tap rounded-sm font-medium text-accent underline-offset-4 hover:underline";

export function RunList({ rows, compared, canCompareMore, onToggle }: RunListProps) {
  const [doomed, setDoomed] = useState<RunRow | null>(null);
  const cancelling = useAction(backtestsApi.cancel, { refreshes: [backtestsApi.list] });
  const deleting = useAction(backtestsApi.remove, { refreshes: [backtestsApi.list] });
  const act = (run: RunRow) =>
    isUnderWay(run) ? (
      <TextButton
        disabled={cancelling.isBusy}
        onClick={() => cancelling.run({ id: run.id })}
        aria-label={`Cancel ${run.name}`}
      >
        Cancel
      </TextButton>
    ) : (
      <TextButton onClick={() => setDoomed(run)} aria-label={`Delete ${run.name}`}>
        Delete
      </TextButton>
    );
  const choose = (run: RunRow) => (
    <input
      type="checkbox"
      aria-label={`Compare ${run.name}`}
      className="block size-5 accent-(--accent) disabled:opacity-40"
      checked={compared.includes(run.id)}
      disabled={run.status !== "DONE" || (!canCompareMore && !compared.includes(run.id))}
      onChange={() => onToggle(run.id)}
    />
  );
  const failure = cancelling.failure ?? deleting.failure;
  return (
    <section aria-labelledby="runs" className="overflow-clip rounded-xl border border-line bg-surface">
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 px-4 pt-3 sm:px-5">
        <h2 id="runs" className="text-sm font-medium text-muted">
          Your backtests
        </h2>
        <EnvironmentBadge environment="BACKTEST" />
        <p className="ml-auto text-xs text-muted tabular-nums">
          {rows.length} of {BACKTEST_BOUNDS.kept} kept. Choose 2 to 4 to compare.
        </p>
      </div>
      {failure !== null && (
        <div className="px-4 py-2">
          <Banner kind="failure">{failure.message}</Banner>
        </div>
      )}
      {rows.length === 0 ? (
        <Empty
          title="No backtests yet"
          hint="Choose a strategy and dates above: a year of the practice market takes a few seconds."
        />
      ) : (
        <Table
          caption="Backtests"
          columns={columnsOf(choose, act)}
          rows={rows}
          rowKey={({ id }) => id}
          card={(run) => <RunCard run={run} choose={choose(run)} act={act(run)} />}
        />
      )}
      <DeleteDialog
        run={doomed}
        isBusy={deleting.isBusy}
        onClose={() => setDoomed(null)}
        onDelete={({ id }) => deleting.run({ id })}
      />
    </section>
  );
}

const sharpeText = (sharpe: number | null | undefined) => (sharpe == null ? "—" : ratioText(sharpe, 2));

type Cell = Column<RunRow>["cell"];

const columnsOf = (choose: Cell, act: Cell): Column<RunRow>[] => [
  { key: "compare", title: "Compare", cell: choose },
  { key: "name", title: "Name", cell: (run) => <Name run={run} /> },
  { key: "status", title: "Status", cell: (run) => <RunStatus run={run} /> },
  { key: "cash", title: "Cash", isNumber: true, cell: (run) => <Money value={run.cash} /> },
  { key: "return", title: "Return", isNumber: true, cell: ({ outcome }) => percent(outcome?.totalReturn) },
  { key: "drawdown", title: "Max drawdown", isNumber: true, cell: ({ outcome }) => percent(outcome?.maxDrawdown) },
  { key: "sharpe", title: "Sharpe", isNumber: true, cell: ({ outcome }) => sharpeText(outcome?.sharpe) },
  { key: "trips", title: "Round trips", isNumber: true, cell: ({ outcome }) => outcome?.trips ?? "—" },
  { key: "act", title: "Action", cell: act },
];

interface DeleteDialogProps {
  /** Null while it is closed. */
  run: RunRow | null;
  isBusy: boolean;
  onClose: () => void;
  onDelete: (run: RunRow) => void;
}

function DeleteDialog({ run, isBusy, onClose, onDelete }: DeleteDialogProps) {
  return (
    <ConfirmDialog
      isOpen={run !== null}
      onClose={onClose}
      title="Delete this backtest?"
      description={`${run?.name ?? ""}: its figures, curve and round trips are deleted. A run that came to an end still counts as a try in the overfit meter.`}
      cancel="Keep it"
      action="Delete"
      isBusy={isBusy}
      onConfirm={() => {
        if (run) onDelete(run);
        onClose();
      }}
    />
  );
}

const percent = (fraction: number | null | undefined) => <Percent value={fraction == null ? null : fraction * 100} />;

function Name({ run }: { run: RunRow }) {
  return (
    <span className="block min-w-40">
      <Link href={`/backtest/${run.id}`} className={`${link} break-words`}>
        <AmountsText text={run.name} />
      </Link>
      <span className="block text-xs text-muted">
        {STRATEGIES[run.strategy].label}, {MARKET_LABELS[run.market]},{" "}
        <span className="whitespace-nowrap">{spanText(run)}</span>
      </span>
    </span>
  );
}

function RunCard({ run, choose, act }: { run: RunRow; choose: React.ReactNode; act: React.ReactNode }) {
  return (
    <div className="flex items-start gap-3">
      <span className="pt-0.5">{choose}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <Name run={run} />
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm">
          <RunStatus run={run} />
          {run.outcome !== null && (
            <span className="flex gap-3 tabular-nums">
              {percent(run.outcome.totalReturn)}
              <span className="text-muted">Sharpe {sharpeText(run.outcome.sharpe)}</span>
            </span>
          )}
          {act}
        </div>
      </div>
    </div>
  );
}
