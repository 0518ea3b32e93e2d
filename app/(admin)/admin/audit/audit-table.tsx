"use client";
import { useState } from "react";
import { AuditDetails, type AuditEvent } from "../../../_ui/audit-details.tsx";
import { AuditPerson } from "../../../_ui/audit-person.tsx";
import { TextButton } from "../../../_ui/button.tsx";
import { AmountsText } from "../../../_ui/money.tsx";
import { Table } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";

interface AuditTableProps {
  rows: readonly AuditEvent[];
  /** Shows what else the same request did. */
  onRequest: (requestId: string) => void;
}

/** Events of the trail, newest first: who did what, whom it concerned, and the facts behind it. */
export function AuditTable({ rows, onRequest }: AuditTableProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  function toggle(id: string, isOpen: boolean) {
    if (open.has(id) === isOpen) return;
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  }
  const details = (row: AuditEvent) => (
    <>
      <AuditDetails event={row} isOpen={open.has(row.id)} onToggle={(isOpen) => toggle(row.id, isOpen)} />
      {open.has(row.id) && row.requestId !== null && row.actor.kind !== "system" && (
        <TextButton className="text-xs" onClick={() => onRequest(row.requestId ?? "")}>
          Everything of this request
        </TextButton>
      )}
    </>
  );
  return (
    <Table
      caption="The audit trail"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { key: "time", title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> },
        {
          key: "event",
          title: "Event",
          cell: (row) => (
            <div className="flex min-w-64 flex-wrap items-baseline gap-x-3">
              <p className="wrap-anywhere">
                <AmountsText text={row.text} />
              </p>
              {details(row)}
            </div>
          ),
        },
        { key: "actor", title: "By", cell: ({ actor }) => actor.name },
        { key: "user", title: "User", cell: (row) => <AuditPerson event={row} /> },
        {
          key: "ip",
          title: "IP address",
          cell: ({ ipAddress }) => <span className="text-muted">{ipAddress ?? "—"}</span>,
        },
      ]}
      card={(row) => (
        <div className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
            <Time at={row.timestamp} />
            {row.actor.name}
          </p>
          <p className="wrap-anywhere">
            <AmountsText text={row.text} />
          </p>
          <AuditPerson event={row} />
          {details(row)}
        </div>
      )}
    />
  );
}
