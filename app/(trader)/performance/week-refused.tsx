import { Card } from "../../_ui/card.tsx";
import type { Week } from "./week-screen.tsx";

/** Which rules prevented purchases, and how often; where looks of the week are no longer kept it is not known. */
export function WeekRefused({ refusals }: { refusals: Week["refusals"] }) {
  if (refusals === null)
    return (
      <Card title="What prevented purchases">
        <p className="text-sm text-muted">
          Decisions of this week that placed no order are no longer kept, so it is not known what prevented purchases.
        </p>
      </Card>
    );
  const { decisions, groups } = refusals;
  return (
    <Card title="What prevented purchases">
      {groups.length === 0 ? (
        <p className="text-sm text-muted">
          {decisions === 0 ? "No decision was made this week." : "No rule prevented a purchase this week."}
        </p>
      ) : (
        <ol className="flex flex-col divide-y divide-line text-sm">
          {groups.map(({ code, text, decisions: count }) => (
            <li key={code} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
              <span>{text}</span>
              <span className="text-xs text-muted tabular-nums">
                in {count} of {decisions} {decisions === 1 ? "decision" : "decisions"}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
