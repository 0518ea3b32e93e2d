"use client";
import { countText } from "@/lib/domain/format.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";
import type { System } from "./system-screen.tsx";

type Schedule = System["schedules"][number];
type OfAccounts = System["accountSchedules"][number];

const MARKETS = { PRACTICE: "Practice market", US: "US market" } as const;

const At = ({ at }: { at: string | null }) => (at === null ? "—" : <Time at={at} />);

/** The job, with its market. */
const titleOf = ({ job, market }: Pick<Schedule, "job" | "market">) => (
  <>
    <span className="block font-medium">{job}</span>
    {market !== null && <span className="block text-xs text-muted">{MARKETS[market]}, market time</span>}
  </>
);

function Outcome({ status, error }: { status: string | null; error: string | null }) {
  if (status === null) return <span className="text-muted">never ran</span>;
  return (
    <>
      <Badge tone={status === "failed" ? "loss" : "gain"}>{status}</Badge>
      {error !== null && <span className="mt-1 block max-w-md text-xs wrap-anywhere text-loss">{error}</span>}
    </>
  );
}

const COLUMNS: Column<Schedule>[] = [
  { key: "job", title: "Job", cell: titleOf },
  { key: "due", title: "Next Run", cell: ({ dueAt }) => <At at={dueAt} /> },
  { key: "last", title: "Last Run", cell: ({ lastFinishedAt }) => <At at={lastFinishedAt} /> },
  {
    key: "outcome",
    title: "Outcome",
    cell: ({ lastStatus, lastError }) => <Outcome status={lastStatus} error={lastError} />,
  },
  { key: "runs", title: "Runs", isNumber: true, cell: ({ runs }) => countText(runs) },
  { key: "coalesced", title: "Skipped", isNumber: true, cell: ({ coalesced }) => countText(coalesced) },
];

const ACCOUNT_COLUMNS: Column<OfAccounts>[] = [
  { key: "job", title: "Job of each account", cell: ({ job }) => <span className="font-medium">{job}</span> },
  { key: "accounts", title: "Accounts", isNumber: true, cell: ({ accounts }) => countText(accounts) },
  {
    key: "overdue",
    title: "Overdue",
    isNumber: true,
    cell: ({ overdue }) => <span className={overdue > 0 ? "text-loss" : ""}>{countText(overdue)}</span>,
  },
  {
    key: "failed",
    title: "Failed",
    isNumber: true,
    cell: ({ failed }) => <span className={failed > 0 ? "text-loss" : ""}>{countText(failed)}</span>,
  },
  { key: "last", title: "Last Run", cell: ({ lastFinishedAt }) => <At at={lastFinishedAt} /> },
  {
    key: "error",
    title: "Last Error",
    cell: ({ lastError }) => (
      <span className="block max-w-md text-xs wrap-anywhere text-muted">{lastError ?? "—"}</span>
    ),
  },
];

export function SchedulesCard({ system: { schedules, accountSchedules } }: { system: System }) {
  return (
    <Card title="Schedules">
      {schedules.length === 0 ? (
        <Empty title="Nothing is scheduled yet" hint="The worker makes the schedule when it starts." />
      ) : (
        <div className="-mx-4 sm:-mx-5">
          <Table
            caption="Schedules"
            columns={COLUMNS}
            rows={schedules}
            rowKey={({ key }) => key}
            card={(row) => (
              <div className="flex flex-col gap-1 text-sm">
                <div className="flex items-start justify-between gap-3">
                  <span>{titleOf(row)}</span>
                  <span>
                    <Outcome status={row.lastStatus} error={null} />
                  </span>
                </div>
                <p className="text-xs text-muted">
                  next <At at={row.dueAt} />, last <At at={row.lastFinishedAt} />
                </p>
                {row.lastError !== null && <p className="text-xs wrap-anywhere text-loss">{row.lastError}</p>}
              </div>
            )}
          />
        </div>
      )}
      {accountSchedules.length > 0 && (
        <div className="-mx-4 mt-4 border-t border-line pt-2 sm:-mx-5">
          <Table
            caption="Schedules of accounts"
            columns={ACCOUNT_COLUMNS}
            rows={accountSchedules}
            rowKey={({ job }) => job}
            card={(row) => (
              <div className="flex flex-col gap-1 text-sm">
                <span className="font-medium">{row.job}</span>
                <p className="text-xs text-muted">
                  {countText(row.accounts)} {row.accounts === 1 ? "account" : "accounts"}, {countText(row.overdue)}{" "}
                  overdue, {countText(row.failed)} failed
                </p>
                {row.lastError !== null && <p className="text-xs wrap-anywhere text-loss">{row.lastError}</p>}
              </div>
            )}
          />
        </div>
      )}
    </Card>
  );
}
