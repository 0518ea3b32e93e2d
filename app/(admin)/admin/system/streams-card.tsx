"use client";
import { countText } from "@/lib/domain/format.ts";
import { Badge, EnvironmentBadge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { AmountsText } from "../../../_ui/money.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { Time } from "../../../_ui/time.tsx";
import type { System } from "./system-screen.tsx";

type Stream = System["streams"]["worst"][number];

const State = ({ stream }: { stream: Stream }) =>
  stream.isConnected ? (
    <Badge tone="gain">connected</Badge>
  ) : (
    <Badge tone="loss">{stream.state === null || stream.state === "listening" ? "not followed" : stream.state}</Badge>
  );

const Account = ({ stream }: { stream: Stream }) => (
  <span className="block min-w-0">
    <span className="flex flex-wrap items-center gap-2">
      <EnvironmentBadge environment={stream.environmentLabel} />
      <span className="font-medium wrap-anywhere">{stream.name}</span>
    </span>
    <span className="block text-xs wrap-anywhere text-muted">{stream.owner}</span>
    {stream.haltReason !== null && (
      <span className="block text-xs wrap-anywhere text-loss">
        <AmountsText text={stream.haltReason} />
      </span>
    )}
  </span>
);

const At = ({ at }: { at: string | null }) => (at === null ? "—" : <Time at={at} />);

const COLUMNS: Column<Stream>[] = [
  { key: "account", title: "Account", cell: (stream) => <Account stream={stream} /> },
  { key: "state", title: "Stream", cell: (stream) => <State stream={stream} /> },
  { key: "since", title: "Since", cell: ({ since }) => <At at={since} /> },
  { key: "read", title: "Last Read", cell: ({ reconciledAt }) => <At at={reconciledAt} /> },
];

export function StreamsCard({ streams: { total, connected, worst } }: Pick<System, "streams">) {
  return (
    <Card
      title="Streams of accounts"
      aside={
        <Badge tone={connected < total ? "warn" : "gain"}>
          {countText(connected)} of {countText(total)} connected
        </Badge>
      }
    >
      {worst.length === 0 ? (
        <Empty title="No account is connected to a broker" />
      ) : (
        <>
          <div className="-mx-4 sm:-mx-5">
            <Table
              caption="Streams of accounts, the worst first"
              columns={COLUMNS}
              rows={worst}
              rowKey={({ accountId }) => accountId}
              card={(stream) => (
                <div className="flex flex-col gap-1 text-sm">
                  <div className="flex items-start justify-between gap-3">
                    <Account stream={stream} />
                    <State stream={stream} />
                  </div>
                  <p className="text-xs text-muted">
                    since <At at={stream.since} />, last read <At at={stream.reconciledAt} />
                  </p>
                </div>
              )}
            />
          </div>
          {total > worst.length && (
            <p className="mt-3 text-xs text-muted">
              The {countText(worst.length)} worst of {countText(total)} are listed.
            </p>
          )}
        </>
      )}
    </Card>
  );
}
