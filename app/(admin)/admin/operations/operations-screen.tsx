"use client";
import { useState, type ReactNode } from "react";
import { operationsApi } from "@/lib/contracts/operations.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { countText } from "@/lib/domain/format.ts";
import { useEndpoint } from "../../../_hooks/use-endpoint.ts";
import { Card } from "../../../_ui/card.tsx";
import { FailureNote } from "../../../_ui/failure-note.tsx";
import { NoteBanner } from "../../../_ui/note-banner.tsx";
import { SkeletonRows } from "../../../_ui/skeleton.tsx";
import { ConsoleHead } from "../../console-head.tsx";
import { ActivityRows } from "./activity-rows.tsx";
import { HaltedRows } from "./halted-rows.tsx";
import { MailRows } from "./mail-rows.tsx";
import { ParkedRows, WorkingRows } from "./order-rows.tsx";

const POLL_MS = 10_000;

type Operations = Answer<typeof operationsApi.read>;
export interface RowsProps<Name extends keyof Operations> {
  rows: Operations[Name]["rows"];
  onDone: (note: string) => void;
}

/** What waits for an administrator, most severe first. */
export function OperationsScreen() {
  const read = useEndpoint(operationsApi.read, {}, { pollMs: POLL_MS });
  const [note, setNote] = useState<string | null>(null);
  const { data } = read;
  // The worker settles the other parked orders by itself, and a working order waits with its halted account.
  const waiting = data ? data.parked.needPerson + data.halted.total + data.activities.total + data.mails.total : 0;
  return (
    <div className="flex flex-col gap-4">
      <ConsoleHead title="Operations" isStale={read.isStale} />
      {read.failure !== null && (
        <FailureNote text="Failed to load operations" detail={read.failure.message} onRetry={read.retry} />
      )}
      {note !== null && <NoteBanner kind="success" text={note} />}
      {read.isLoading && <SkeletonRows />}
      {data && (
        <>
          <p className="text-sm text-muted">
            {waiting === 0
              ? "Nothing is waiting for an administrator."
              : `${countText(waiting)} ${waiting === 1 ? "item waits" : "items wait"} for an administrator.`}
          </p>
          <Section title="Halted accounts" empty="No account is halted." list={data.halted}>
            <HaltedRows rows={data.halted.rows} onDone={setNote} />
          </Section>
          <Section title="Parked orders" empty="No order is parked." list={data.parked}>
            <ParkedRows rows={data.parked.rows} onDone={setNote} />
          </Section>
          <Section
            title="Working orders of halted accounts"
            empty="No halted account has a working order."
            list={data.working}
          >
            <WorkingRows rows={data.working.rows} onDone={setNote} />
          </Section>
          <Section title="Activities to book" empty="No activity waits." list={data.activities}>
            <ActivityRows rows={data.activities.rows} onDone={setNote} />
          </Section>
          <Section title="Failed emails" empty="No email failed." list={data.mails}>
            <MailRows rows={data.mails.rows} onDone={setNote} />
          </Section>
        </>
      )}
    </div>
  );
}

interface SectionProps {
  title: string;
  empty: string;
  list: { total: number; rows: readonly unknown[] };
  children: ReactNode;
}

function Section({ title, empty, list: { total, rows }, children }: SectionProps) {
  return (
    <Card title={`${title} (${countText(total)})`}>
      {total === 0 ? <p className="text-sm text-muted">{empty}</p> : children}
      {rows.length < total && (
        <p className="mt-3 text-sm text-muted">
          The oldest {countText(rows.length)} are shown; the others appear once these are settled.
        </p>
      )}
    </Card>
  );
}
