"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { marginText, SEVERITIES } from "@/lib/domain/selector-labels.ts";
import { Badge } from "../_ui/badge.tsx";
import { Table, type Column } from "../_ui/table.tsx";
import { Time } from "../_ui/time.tsx";

export type QaResult = Answer<typeof selectorsApi.qaResults>["results"][number];

const SEVERITY_TONES = { critical: "loss", high: "warn", medium: "accent", low: "neutral" } as const;

export function SeverityBadge({ severity }: Pick<QaResult, "severity">) {
  return <Badge tone={SEVERITY_TONES[severity]}>{SEVERITIES[severity].label}</Badge>;
}

/** What could not be judged counts as failed, and says so. */
function Verdict({ passed, status }: QaResult) {
  if (passed) return <Badge tone="gain">Passed</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <Badge tone="loss">Failed</Badge>
      {status === "UNKNOWN" && <span className="text-xs whitespace-nowrap text-muted">could not be judged</span>}
    </span>
  );
}

const COLUMNS: Column<QaResult>[] = [
  { key: "rule", title: "Rule", cell: ({ ruleId }) => <span className="font-mono text-xs">{ruleId}</span> },
  { key: "verdict", title: "Result", cell: (result) => <Verdict {...result} /> },
  { key: "severity", title: "Severity", cell: (result) => <SeverityBadge {...result} /> },
  { key: "message", title: "Message", cell: ({ message }) => message },
  { key: "expected", title: "Expected", cell: ({ expected }) => expected },
  { key: "actual", title: "Actual", cell: ({ actual }) => actual },
  {
    key: "margin",
    title: "Margin",
    isNumber: true,
    cell: ({ ruleId, margin }) => <span className="whitespace-nowrap">{marginText(ruleId, margin)}</span>,
  },
];

const TIME: Column<QaResult> = { key: "time", title: "Time", cell: ({ timestamp }) => <Time at={timestamp} /> };

interface QaResultTableProps {
  caption: string;
  results: readonly QaResult[];
  hasTime?: boolean;
}

/** Verdicts of the six rules, each with what it asked, what it found, and how far that is from the line. */
export function QaResultTable({ caption, results, hasTime = false }: QaResultTableProps) {
  return (
    <Table
      caption={caption}
      columns={hasTime ? [...COLUMNS, TIME] : COLUMNS}
      rows={results}
      rowKey={({ ruleId }) => ruleId}
      card={(result) => <ResultCard result={result} hasTime={hasTime} />}
    />
  );
}

function ResultCard({ result, hasTime }: { result: QaResult; hasTime: boolean }) {
  const { ruleId, message, expected, actual, margin, timestamp } = result;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-mono text-xs">{ruleId}</span>
        <span className="flex items-center gap-1">
          <SeverityBadge {...result} />
          <Verdict {...result} />
        </span>
      </p>
      <p>{message}</p>
      <p className="text-xs text-muted">
        Expected {expected}. Actual {actual}. Margin {marginText(ruleId, margin)}.
      </p>
      {hasTime && (
        <p className="text-xs text-muted">
          <Time at={timestamp} />
        </p>
      )}
    </div>
  );
}
