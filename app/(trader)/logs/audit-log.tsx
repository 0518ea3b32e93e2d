"use client";
import { ArrowUp } from "lucide-react";
import Link from "next/link";
import { useRef, useState, useSyncExternalStore } from "react";
import type { logsApi } from "@/lib/contracts/logs.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { AUDIT_TOPICS, AUDIT_TOPIC_TEXT } from "@/lib/domain/audit-events.ts";
import { countText } from "@/lib/domain/format.ts";
import { AuditDetails, type AuditEvent } from "../../_ui/audit-details.tsx";
import { AuditPerson } from "../../_ui/audit-person.tsx";
import { Badge } from "../../_ui/badge.tsx";
import { Button } from "../../_ui/button.tsx";
import { DensityToggle } from "../../_ui/density-toggle.tsx";
import { Empty } from "../../_ui/empty.tsx";
import { SelectField } from "../../_ui/field.tsx";
import { GreyWhileOld } from "../../_ui/grey-while-old.tsx";
import { AmountsText } from "../../_ui/money.tsx";
import { Pager } from "../../_ui/pager.tsx";
import { SkeletonRows } from "../../_ui/skeleton.tsx";
import { Table, type Column } from "../../_ui/table.tsx";
import { Time } from "../../_ui/time.tsx";
import { Freshness, type Reading } from "./freshness.tsx";
import { useHeld } from "./use-held.ts";
import { useSelectionIn } from "./use-selection-in.ts";

type Page = Answer<typeof logsApi.audit>;

const TOPICS = [
  { value: "", label: "Everything" },
  ...AUDIT_TOPICS.map((value) => ({ value, label: AUDIT_TOPIC_TEXT[value] })),
];

interface AuditLogProps {
  trail: Reading & {
    data: Page | undefined;
    isLoading: boolean;
    isOld: boolean;
    index: number;
    hasNext: boolean;
    next: () => void;
    previous: () => void;
  };
  rowsPerPage: number;
  isAdmin: boolean;
  topic: string;
  onTopic: (topic: string) => void;
}

/** Below this the first rows are being read, not the top of the page. */
const READING_PX = 160;

function onScroll(listener: () => void) {
  window.addEventListener("scroll", listener, { passive: true });
  return () => window.removeEventListener("scroll", listener);
}

function useIsScrolledDown(): boolean {
  return useSyncExternalStore(
    onScroll,
    () => window.scrollY > READING_PX,
    () => false,
  );
}

/** The events whose details are open. */
function useOpenEvents() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return {
    isAny: open.size > 0,
    has: (id: string) => open.has(id),
    toggle: (id: string, isOpen: boolean) => {
      if (open.has(id) === isOpen) return;
      const next = new Set(open);
      if (isOpen) next.add(id);
      else next.delete(id);
      setOpen(next);
    },
    closeAll: () => setOpen(new Set()),
  };
}

/** Newest first. New events wait while the user reads: scrolled down, with details open, with text selected. */
export function AuditLog({ trail, rowsPerPage, isAdmin, topic, onTopic }: AuditLogProps) {
  const list = useRef<HTMLDivElement>(null);
  const open = useOpenEvents();
  const isScrolledDown = useIsScrolledDown();
  const isReading = useSelectionIn(list) || isScrolledDown || open.isAny;
  const latest = trail.data?.auditLogs ?? [];
  const rows = useHeld(`${topic} ${trail.index} ${trail.isOld} ${latest.length === 0}`, latest, isReading);
  const newest = rows[0]?.id ?? "0";
  const waiting = trail.index === 0 ? latest.filter(({ id }) => BigInt(id) > BigInt(newest)).length : 0;
  const from = trail.index * rowsPerPage;

  function showNew() {
    open.closeAll();
    document.getSelection()?.removeAllRanges();
    window.scrollTo({ top: 0 });
  }
  function turn(to: () => void) {
    open.closeAll();
    window.scrollTo({ top: 0 });
    to();
  }

  const details = (row: AuditEvent) => (
    <AuditDetails event={row} isOpen={open.has(row.id)} onToggle={(isOpen) => open.toggle(row.id, isOpen)} />
  );
  return (
    <div className="flex flex-col gap-3">
      <AuditHead
        trail={trail}
        topic={topic}
        onTopic={(next) => {
          open.closeAll();
          onTopic(next);
        }}
      />
      {waiting > 0 && isReading && (
        <ShowNew text={`${countText(waiting)}${waiting === rowsPerPage ? "+" : ""} new`} onShow={showNew} />
      )}
      <GreyWhileOld ref={list} isOld={trail.isOld} className="overflow-clip rounded-xl border border-line bg-surface">
        {trail.isLoading && <SkeletonRows />}
        {!trail.isLoading && rows.length === 0 && (
          <Empty
            title={trail.data === undefined ? "The audit log has not been loaded" : "No events found"}
            {...(topic === "" ? {} : { hint: "Choose another topic, or everything." })}
          />
        )}
        {rows.length > 0 && (
          <Table
            caption={isAdmin ? "All audit logs" : "My activity"}
            columns={columnsOf(isAdmin, details)}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => <AuditCard event={row} isAdmin={isAdmin} details={details(row)} />}
          />
        )}
      </GreyWhileOld>
      {rows.length > 0 && (
        <Pager
          text={`Events ${countText(from + 1)} to ${countText(from + rows.length)} of ${countText(trail.data?.summary.totalEvents ?? 0)}`}
          hasPrevious={trail.index > 0}
          hasNext={trail.hasNext}
          isBusy={trail.isOld}
          onPrevious={() => turn(trail.previous)}
          onNext={() => turn(trail.next)}
        />
      )}
    </div>
  );
}

function AuditHead({ trail, topic, onTopic }: Pick<AuditLogProps, "trail" | "topic" | "onTopic">) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <div className="w-full sm:w-64">
        <SelectField label="Show" options={TOPICS} value={topic} onChange={(event) => onTopic(event.target.value)} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Freshness reading={trail} />
        <DensityToggle />
      </div>
    </div>
  );
}

function ShowNew({ text, onShow }: { text: string; onShow: () => void }) {
  return (
    <div className="pointer-events-none sticky top-3 z-20 flex justify-center">
      <Button onClick={onShow} className="pointer-events-auto shadow-lg">
        {text}
        <ArrowUp aria-hidden className="size-4" />
      </Button>
    </div>
  );
}

type Details = (row: AuditEvent) => React.ReactNode;

const columnsOf = (isAdmin: boolean, details: Details): Column<AuditEvent>[] => [
  { key: "time", title: "Time", cell: (row) => <Time at={row.timestamp} /> },
  {
    key: "event",
    title: "Event",
    cell: (row) => (
      <div className="flex min-w-64 flex-wrap items-baseline gap-x-3">
        <p className="wrap-anywhere">
          <EventText event={row} />
        </p>
        {details(row)}
      </div>
    ),
  },
  { key: "actor", title: "By", cell: (row) => <Actor event={row} /> },
  ...(isAdmin ? [{ key: "user", title: "User", cell: (row: AuditEvent) => <AuditPerson event={row} /> }] : []),
  { key: "ip", title: "IP address", cell: (row) => <Address event={row} /> },
];

function EventText({ event: { text, tradeId } }: { event: AuditEvent }) {
  if (tradeId === null) return <AmountsText text={text} />;
  return (
    <Link
      href={`/trade-history/${tradeId}`}
      className="tap rounded-sm font-medium text-accent underline-offset-4 hover:underline"
    >
      <AmountsText text={text} />
    </Link>
  );
}

function Actor({ event: { actor } }: { event: AuditEvent }) {
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      {actor.name}
      {actor.kind === "administrator" && actor.name !== "An administrator" && <Badge tone="loss">Admin</Badge>}
    </span>
  );
}

function Address({ event: { ipAddress } }: { event: AuditEvent }) {
  return <span className="text-muted">{ipAddress ?? "—"}</span>;
}

function AuditCard({ event, isAdmin, details }: { event: AuditEvent; isAdmin: boolean; details: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
        <Time at={event.timestamp} />
        <Actor event={event} />
      </p>
      <p className="wrap-anywhere">
        <EventText event={event} />
      </p>
      {isAdmin && <AuditPerson event={event} />}
      {details}
    </div>
  );
}
