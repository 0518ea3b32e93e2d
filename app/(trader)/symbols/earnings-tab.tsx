import { dateText, shareText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import { Percent } from "../../_ui/percent.tsx";
import { Stat } from "../../_ui/stat.tsx";
import type { SymbolAnswer } from "./symbol-screen.tsx";

const TIMES = { BMO: "before the open", AMC: "after the close", UNKNOWN: null } as const;

/** When it reports next, and how its price answered the reports before. */
export function EarningsTab({ data: { earnings } }: { data: SymbolAnswer }) {
  const { next, expectedMove, reactions } = earnings;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Next report">
        {next === null ? (
          <p className="text-sm text-muted">No date is known.</p>
        ) : (
          <dl className="grid grid-cols-2 gap-4">
            <Stat
              label="Date"
              note={next.from === next.to ? timeText(next.time) : "expected, by the reports of the year before"}
            >
              {next.from === next.to ? dateText(next.from) : `${dateText(next.from)} to ${dateText(next.to)}`}
            </Stat>
            {expectedMove !== null && (
              <Stat label="Usual move" note="mean of its past reactions, up or down">
                {shareText(expectedMove)}
              </Stat>
            )}
          </dl>
        )}
        <p className="mt-4 text-sm text-muted">No purchase is made shortly before or after a report.</p>
      </Card>
      <Card title="Reactions to past reports, close to close">
        {reactions.length === 0 ? (
          <p className="text-sm text-muted">None is known.</p>
        ) : (
          <ul className="divide-y divide-line">
            {reactions.map(({ date, time, reaction }) => (
              <li key={date} className="flex items-center justify-between gap-3 py-1.5 text-sm">
                <span className="flex flex-wrap gap-x-2">
                  {dateText(date)} <span className="text-muted">{timeText(time)}</span>
                </span>
                <Percent value={100 * reaction} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}

const timeText = (time: keyof typeof TIMES | null) => (time === null ? undefined : (TIMES[time] ?? undefined));
