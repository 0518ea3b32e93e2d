"use client";
import { Plus } from "lucide-react";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { policyApi } from "@/lib/contracts/policy.ts";
import { useAction } from "../../_hooks/use-action.ts";
import { useCursorPages } from "../../_hooks/use-cursor-pages.ts";
import { useEndpoint } from "../../_hooks/use-endpoint.ts";
import { Badge } from "../../_ui/badge.tsx";
import { Banner } from "../../_ui/banner.tsx";
import { Button, TextButton } from "../../_ui/button.tsx";
import { FailureNote } from "../../_ui/failure-note.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";

type Row = Answer<typeof policyApi.versions>["versions"][number];

const STATUS = {
  DRAFT: { label: "Draft", tone: "accent" },
  ACTIVE: { label: "In force", tone: "gain" },
  RETIRED: { label: "Earlier", tone: "neutral" },
} as const;

export function VersionBadge({ status }: { status: Row["status"] }) {
  const { label, tone } = STATUS[status];
  return <Badge tone={tone}>{label}</Badge>;
}

const columnsOf = (onOpen: (version: string) => void): Column<Row>[] => [
  {
    key: "version",
    title: "Version",
    cell: (row) => <TextButton onClick={() => onOpen(row.version)}>{row.version}</TextButton>,
  },
  { key: "status", title: "Status", cell: (row) => <VersionBadge status={row.status} /> },
  { key: "made", title: "Made", cell: (row) => <Made row={row} /> },
  { key: "inForce", title: "In force", cell: (row) => <Activated row={row} /> },
  { key: "note", title: "Note", cell: (row) => <span className="wrap-anywhere">{noteOf(row) ?? "—"}</span> },
];

const POLL_MS = 30_000;

/** Drafts and versions, newest first: who made them, who put them in force, when and why. */
export function PolicyHistory({ onOpen }: { onOpen: (version: string) => void }) {
  const pages = useCursorPages(policyApi.versions, { limit: 20 }, { pollMs: POLL_MS, pollsLaterPages: true });
  const create = useAction(policyApi.createDraft, { refreshes: [policyApi.versions] });
  const rows = pages.data?.versions ?? [];
  // Not by the rows: it may stand on another page of them.
  const inForce = useEndpoint(policyApi.read, {}).data?.version;
  return (
    <section aria-label="Versions" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="flex items-center gap-2 text-sm font-medium text-muted">
          Versions
          {pages.isStale && <Badge tone="warn">stale</Badge>}
        </h2>
        {inForce !== undefined && (
          <Button
            tone="secondary"
            disabled={create.isBusy}
            onClick={() => create.run({ from: inForce }, { onSuccess: ({ version }) => onOpen(version) })}
          >
            <Plus aria-hidden className="size-4" />
            New draft
          </Button>
        )}
      </div>
      {create.failure !== null && <Banner kind="failure">{create.failure.message}</Banner>}
      {pages.failure !== null && (
        <FailureNote text="Failed to load the versions" detail={pages.failure.message} onRetry={pages.retry} />
      )}
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {pages.isLoading && <SkeletonRows />}
        {rows.length > 0 && (
          <Table
            caption="Versions of the policy"
            columns={columnsOf(onOpen)}
            rows={rows}
            rowKey={({ version }) => version}
            card={(row) => (
              <div className="flex flex-col gap-1 text-sm">
                <p className="flex items-center justify-between gap-3">
                  <TextButton onClick={() => onOpen(row.version)}>{row.version}</TextButton>
                  <VersionBadge status={row.status} />
                </p>
                <Made row={row} />
                <Activated row={row} />
                {noteOf(row) !== null && <p className="wrap-anywhere">{noteOf(row)}</p>}
              </div>
            )}
          />
        )}
      </div>
      {(pages.index > 0 || pages.hasNext) && (
        <Pager
          text={`Page ${pages.index + 1}`}
          hasPrevious={pages.index > 0}
          hasNext={pages.hasNext}
          isBusy={pages.isLoading}
          onPrevious={pages.previous}
          onNext={pages.next}
        />
      )}
    </section>
  );
}

/** A version that is based on none came with the set-up; every other one was made by a person. */
export const authorOf = ({ createdBy, basedOn }: Pick<Row, "createdBy" | "basedOn">) =>
  createdBy?.name ?? (basedOn === null ? "the set-up" : "a deleted user");

const noteOf = ({ note, activations }: Row) => activations[0]?.note ?? note;

function Made({ row }: { row: Row }) {
  return (
    <span className="text-muted">
      <Time at={row.createdAt} /> by {authorOf(row)}
      {row.basedOn !== null && ` from ${row.basedOn}`}
    </span>
  );
}

function Activated({ row: { activatedAt, activations } }: { row: Row }) {
  const [last] = activations;
  if (activatedAt === null) return <span className="text-muted">Never</span>;
  return (
    <span className="text-muted">
      <Time at={activatedAt} /> by {last ? (last.by?.name ?? "a deleted user") : "the set-up"}
      {last?.requestedBy != null && `, asked for by ${last.requestedBy.name}`}
    </span>
  );
}
