"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { invariantsApi } from "@/lib/contracts/invariants.ts";
import { countText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Banner } from "../../../_ui/banner.tsx";
import { Card } from "../../../_ui/card.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { SkeletonCard, SkeletonRows } from "../../../_ui/skeleton.tsx";
import { Stat } from "../../../_ui/stat.tsx";
import { Table } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { Breaches, History, Undecided } from "./findings.tsx";

const POLL_MS = 10_000;

type Checks = Answer<typeof invariantsApi.read>;
type Invariant = Checks["invariants"][number];

/** What must always be true, whether it is, and what was done where it was not. */
export function InvariantsScreen() {
  const checks = useEndpoint(invariantsApi.read, {}, { pollMs: POLL_MS });
  const { data, failure } = checks;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Invariants" {...(data ? { asOf: data.readAt } : {})} isStale={checks.isStale} />
      {failure !== null && (
        <FailureNote text="Failed to load the invariants" detail={failure.message} onRetry={checks.retry} />
      )}
      {data === undefined && failure === null && (
        <>
          <SkeletonCard className="h-32" />
          <SkeletonRows />
        </>
      )}
      {data !== undefined && (
        <>
          <Summary checks={data} />
          <Breaches breaches={data.breaches} />
          <Undecided undecided={data.undecided} />
          <All invariants={data.invariants} />
          <History history={data.history} />
        </>
      )}
    </div>
  );
}

function Summary({ checks: { accounts, systemCheckedAt, breaches, invariants } }: { checks: Checks }) {
  const broken = invariants.filter(({ state }) => state === "broken").map(({ id }) => id);
  return (
    <div className="flex flex-col gap-4">
      {breaches.length === 0 ? (
        <Banner kind={accounts.recent < accounts.total ? "warning" : "success"}>
          {accounts.recent < accounts.total
            ? `No breach is known, but ${countText(accounts.total - accounts.recent)} of ${countText(accounts.total)} accounts were not checked in the last five minutes.`
            : "Everything that was checked holds."}
        </Banner>
      ) : (
        <Banner kind="failure" detail={`Broken: ${broken.join(", ")}.`}>
          {`${countText(breaches.length)} ${breaches.length === 1 ? "breach" : "breaches"} now.`}
        </Banner>
      )}
      <Card>
        <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
          <Stat label="Accounts checked in the last 5 minutes" note={`of ${countText(accounts.total)}`}>
            {countText(accounts.recent)}
          </Stat>
          <Stat label="Accounts with a breach">{countText(accounts.broken)}</Stat>
          <Stat label="Accounts undecided" note="The records could not be compared with the broker's">
            {countText(accounts.undecided)}
          </Stat>
          <Stat label="System checked">
            {systemCheckedAt === null ? "Never" : <Time at={systemCheckedAt} isClock />}
          </Stat>
        </dl>
      </Card>
    </div>
  );
}

const STATES = {
  whole: { label: "Holds", tone: "gain" },
  broken: { label: "Broken", tone: "loss" },
  unchecked: { label: "Not checked yet", tone: "warn" },
  proved_elsewhere: { label: "Proved elsewhere", tone: "neutral" },
} as const;

function State({ row: { state, breaches } }: { row: Invariant }) {
  const { label, tone } = STATES[state];
  return <Badge tone={tone}>{breaches === 0 ? label : `${label}: ${countText(breaches)}`}</Badge>;
}

const PLACES = { ACCOUNTS: "each account", SYSTEM: "the system" } as const;

function checkedWhere({ checkedIn, proof }: Invariant): string {
  return checkedIn.length === 0 ? proof : `Each minute: ${checkedIn.map((place) => PLACES[place]).join(" and ")}`;
}

function All({ invariants }: { invariants: Checks["invariants"] }) {
  return (
    <section aria-label="All invariants" className="overflow-clip rounded-xl border border-line bg-surface">
      <Table
        caption="All invariants"
        rows={invariants}
        rowKey={({ id }) => id}
        columns={[
          { key: "id", title: "No.", cell: ({ id }) => <b className="font-medium">{id}</b> },
          { key: "what", title: "Invariant", cell: ({ sentence }) => sentence },
          { key: "state", title: "Now", cell: (row) => <State row={row} /> },
          {
            key: "checked",
            title: "Last check",
            cell: ({ lastCheckedAt }) =>
              lastCheckedAt === null ? <span className="text-muted">—</span> : <Time at={lastCheckedAt} isClock />,
          },
          { key: "where", title: "Where", cell: (row) => <span className="text-muted">{checkedWhere(row)}</span> },
          {
            key: "halts",
            title: "On a breach",
            cell: ({ isHalting, checkedIn }) => (
              <span className="text-muted">{checkedIn.length === 0 ? "—" : isHalting ? "halts" : "is reported"}</span>
            ),
          },
        ]}
        card={(row) => (
          <div className="flex flex-col gap-1 text-sm">
            <p className="flex items-center justify-between gap-3">
              <b className="font-medium">{row.id}</b>
              <State row={row} />
            </p>
            <p>{row.sentence}</p>
            <p className="text-xs text-muted">
              {checkedWhere(row)}
              {row.lastCheckedAt !== null && (
                <>
                  , last <Time at={row.lastCheckedAt} isClock />
                </>
              )}
            </p>
          </div>
        )}
      />
    </section>
  );
}
