"use client";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { countText, dateText, ratioText } from "@/lib/domain/format.ts";
import { marginText, passRate, passRateTone } from "@/lib/domain/selector-labels.ts";
import { Bar } from "../../../_ui/bar.tsx";
import { Empty } from "../../../_ui/empty.tsx";
import { Table, type Column } from "../../../_ui/table.tsx";
import { SeverityBadge } from "../../qa-result-table.tsx";

type Metrics = Answer<typeof selectorsApi.qaResults>["metrics"];
type Rule = Metrics["rules"][number];

/** How each rule did over the last selections. */
export function QaMetrics({ metrics: { selections, rules } }: { metrics: Metrics }) {
  return (
    <section aria-label="Metrics" className="flex flex-col gap-3">
      <p className="text-sm text-muted">
        {selections === 1 ? "Over the last selection" : `Over the last ${countText(selections)} selections`}
      </p>
      <div className="overflow-clip rounded-xl border border-line bg-surface">
        {rules.length === 0 ? (
          <Empty title="No metrics" hint="The rules have not been run yet." />
        ) : (
          <Table
            caption="Metrics by rule"
            columns={COLUMNS}
            rows={rules}
            rowKey={({ ruleId }) => ruleId}
            card={(rule) => <RuleCard rule={rule} />}
          />
        )}
      </div>
    </section>
  );
}

function Rate({ passed, failed }: Rule) {
  const percent = passRate(passed, passed + failed) ?? 0;
  return (
    <Bar label="Pass rate" fraction={percent / 100} text={`${ratioText(percent, 1)}%`} tone={passRateTone(percent)} />
  );
}

const failures = ({ failed, unknown }: Rule) =>
  unknown === 0 ? countText(failed) : `${countText(failed)} (${countText(unknown)} not judged)`;
const lastFailure = ({ lastFailedOn }: Rule) => (lastFailedOn === null ? "never" : dateText(lastFailedOn));

const COLUMNS: Column<Rule>[] = [
  { key: "rule", title: "Rule", cell: ({ ruleId }) => <span className="font-mono text-xs">{ruleId}</span> },
  { key: "severity", title: "Severity", cell: (rule) => <SeverityBadge {...rule} /> },
  { key: "rate", title: "Pass rate", cell: (rule) => <Rate {...rule} /> },
  { key: "passed", title: "Passed", isNumber: true, cell: ({ passed }) => countText(passed) },
  { key: "failed", title: "Failed", isNumber: true, cell: failures },
  {
    key: "margin",
    title: "Smallest margin",
    isNumber: true,
    cell: ({ ruleId, smallestMargin }) => marginText(ruleId, smallestMargin),
  },
  { key: "last", title: "Last failure", cell: lastFailure },
];

function RuleCard({ rule }: { rule: Rule }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-mono text-xs">{rule.ruleId}</span>
        <SeverityBadge {...rule} />
      </p>
      <Rate {...rule} />
      <p className="text-xs text-muted">
        Passed {countText(rule.passed)}, failed {failures(rule)}. Smallest margin{" "}
        {marginText(rule.ruleId, rule.smallestMargin)}. Last failure: {lastFailure(rule)}.
      </p>
    </div>
  );
}
