import { marginText } from "@/lib/domain/selector-labels.ts";
import { Badge } from "../../../_ui/badge.tsx";
import { Card } from "../../../_ui/card.tsx";
import { type PlanDetail, QA_NAMES } from "./labels.ts";

type Result = PlanDetail["qaResults"][number];

const TONE = { PASS: "gain", FAIL: "loss", UNKNOWN: "warn" } as const;
const LABEL = { PASS: "Passed", FAIL: "Failed", UNKNOWN: "Unknown" } as const;

/** The six rules on this plan, with what was expected, what was found and how far it is from the line. */
export function PlanQa({ results }: { results: readonly Result[] }) {
  const passed = results.filter(({ status }) => status === "PASS").length;
  return (
    <Card
      title="QA rules"
      aside={<span className="text-xs text-muted">{`${passed} of ${results.length} passed`}</span>}
    >
      {results.length === 0 && <p className="text-muted">The rules were not run on this plan.</p>}
      <ul className="grid gap-3 lg:grid-cols-2">
        {results.map(({ ruleId, status, severity, message, expected, actual, margin }) => (
          <li key={ruleId} className="rounded-lg border border-line p-3 text-sm">
            <p className="flex flex-wrap items-center gap-2">
              <span className="font-medium">{QA_NAMES[ruleId] ?? ruleId}</span>
              <Badge tone={TONE[status]}>{LABEL[status]}</Badge>
              <Badge>{severity}</Badge>
            </p>
            {status !== "PASS" && <p className="mt-1 wrap-anywhere">{message}</p>}
            <p className="mt-1 text-muted wrap-anywhere">Expected: {expected}</p>
            <p className="text-muted wrap-anywhere">
              Actual: {actual}
              {margin === null ? "" : `, margin ${marginText(ruleId, margin)}`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
