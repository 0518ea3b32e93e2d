"use client";
import { ageText, beatHealth, WITHOUT_WORKER } from "@/lib/domain/console.ts";
import { countText } from "@/lib/domain/format.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Banner } from "../../../_ui/banner.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";
import type { System } from "./system-screen.tsx";

type Process = System["processes"][number];

const KINDS = { web: "Web", worker: "Worker", canary: "Canary Worker", watchdog: "Watchdog" } as const;
const LEASES: Record<string, string> = {
  worker: "last beat of any worker",
  watchdog: "watches the worker",
  follower: "follows the streams",
};

/** What runs; a program without a live process is listed first. */
export function ProcessesCard({ system }: { system: System }) {
  const { processes, silenceMs, orderProtocol, leases } = system;
  const isAlive = (kind: Process["kind"]) =>
    processes.some((process) => process.kind === kind && process.ageMs < silenceMs);
  const columns: Column<Process>[] = [
    { key: "kind", title: "Program", cell: ({ kind }) => <span className="font-medium">{KINDS[kind]}</span> },
    { key: "state", title: "State", cell: (process) => <Beat process={process} silenceMs={silenceMs} /> },
    { key: "age", title: "Last Beat", cell: ({ kind, ageMs }) => (kind === "web" ? "answers now" : ageLabel(ageMs)) },
    { key: "lag", title: "Lag", isNumber: true, cell: ({ lagMs }) => `${countText(lagMs)} ms` },
    {
      key: "protocol",
      title: "Order Protocol",
      isNumber: true,
      cell: (process) => <Protocol of={process.orderProtocol} inForce={orderProtocol} />,
    },
    { key: "started", title: "Started", cell: ({ startedAt }) => <Time at={startedAt} /> },
    { key: "build", title: "Build", cell: ({ build }) => <Code text={build} /> },
    { key: "owner", title: "Process", cell: ({ owner }) => <Code text={owner} /> },
  ];
  return (
    <Card title="What runs">
      <div className="mb-3 flex flex-col gap-3 empty:hidden">
        {!isAlive("worker") && (
          <Banner kind="failure" detail={`${WITHOUT_WORKER} Start the worker again.`}>
            No worker runs
          </Banner>
        )}
        {!isAlive("watchdog") && (
          <Banner
            kind="warning"
            detail="If the worker stops, open entry orders are not cancelled and shares without a stop are not protected. Start the watchdog again."
          >
            No watchdog runs
          </Banner>
        )}
      </div>
      <div className="-mx-4 sm:-mx-5">
        <Table
          caption="Programs that run"
          columns={columns}
          rows={processes}
          rowKey={({ owner, kind }) => `${kind}:${owner}`}
          card={(process) => (
            <div className="flex flex-col gap-1 text-sm">
              <div className="flex items-center justify-between gap-3">
                <span className="font-medium">{KINDS[process.kind]}</span>
                <Beat process={process} silenceMs={silenceMs} />
              </div>
              <p className="text-xs text-muted">
                {process.kind === "web" ? "answers now" : ageLabel(process.ageMs)}, lag {countText(process.lagMs)} ms,
                protocol {process.orderProtocol}
              </p>
              <Code text={process.owner} />
            </div>
          )}
        />
      </div>
      <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-xs text-muted">
        {leases.map(({ name, ageMs }) => (
          <li key={name}>
            Lease “{name}” ({LEASES[name] ?? name}): {ageLabel(ageMs)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const ageLabel = (ms: number) => (ageText(ms) === "just now" ? "just now" : `${ageText(ms)} ago`);

function Beat({ process, silenceMs }: { process: Process; silenceMs: number }) {
  const { label, tone } = beatHealth(process.ageMs, silenceMs);
  return <Badge tone={tone}>{label}</Badge>;
}

function Protocol({ of, inForce }: { of: number; inForce: number }) {
  if (of >= inForce) return of;
  return (
    <span className="text-loss">
      {of} (sends no orders: {inForce} is in force)
    </span>
  );
}

const Code = ({ text }: { text: string }) => <span className="font-mono text-xs wrap-anywhere text-muted">{text}</span>;
