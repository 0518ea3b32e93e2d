import type { Answer } from "@/lib/contracts/endpoint.ts";
import type { selectorsApi } from "@/lib/contracts/selectors.ts";
import { dateText } from "@/lib/domain/format.ts";
import { Badge } from "./badge.tsx";
import { Card } from "./card.tsx";

type SymbolAnswer = Answer<typeof selectorsApi.symbol>;

const KINDS = {
  seated: { label: "Seated", tone: "accent" },
  sticky: { label: "Sticky", tone: "neutral" },
  left: { label: "Left", tone: "warn" },
  swap_refused: { label: "Swap refused", tone: "neutral" },
} as const;

/** What happened to its seat, newest first. */
export function SeatEvents({ events, selections }: { events: SymbolAnswer["events"]; selections: number }) {
  return (
    <Card title="Seat history">
      {events.length === 0 ? (
        <p className="text-sm text-muted">{`Nothing changed in the last ${selections} selections.`}</p>
      ) : (
        <ul className="max-h-96 divide-y divide-line overflow-y-auto" tabIndex={0} aria-label="Seat history">
          {events.map(({ sessionDate, kind, text }) => (
            <li key={`${sessionDate} ${text}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2 text-sm">
              <span className="w-24 shrink-0 text-xs text-muted tabular-nums">{dateText(sessionDate)}</span>
              <Badge tone={KINDS[kind].tone}>{KINDS[kind].label}</Badge>
              <span className="min-w-0 grow basis-48 wrap-anywhere">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
