import type { EarningsTime } from "@/lib/domain/enums.ts";
import {
  daysTone,
  daysUntil,
  daysLabel,
  earningsTimeText,
  RISK_LEVELS,
  volumeTone,
} from "@/lib/domain/selector-labels.ts";
import { ratioText } from "@/lib/domain/format.ts";
import { Badge } from "../_ui/badge.tsx";
import { Bar } from "../_ui/bar.tsx";

/** A bar of this many times the mean volume is full. */
const FULL_VOLUME = 3;

export function RiskBadge({ level }: { level: keyof typeof RISK_LEVELS }) {
  const { label, tone } = RISK_LEVELS[level];
  return <Badge tone={tone}>{label}</Badge>;
}

/** "Today", "Tomorrow", "5 days" on the market's own clock. */
export function DaysUntil({ today, date }: { today: string | null; date: string }) {
  if (today === null) return <span className="text-muted">—</span>;
  const days = daysUntil(today, date);
  return <Badge tone={daysTone(days)}>{daysLabel(days)}</Badge>;
}

/** Morning or afternoon; a time of day that the calendar does not give is said to be unconfirmed. */
export function ReportTime({ time }: { time: EarningsTime }) {
  return (
    <span className="whitespace-nowrap">
      <span>{earningsTimeText(time)}</span>
      {time === "UNKNOWN" && <span className="block text-xs text-muted">unconfirmed</span>}
    </span>
  );
}

/** The last volume over its mean. */
export function VolumeBar({ ratio }: { ratio: number | null }) {
  if (ratio === null) return <span className="text-muted">—</span>;
  return (
    <Bar
      label="Volume ratio"
      fraction={ratio / FULL_VOLUME}
      text={`${ratioText(ratio, 2)}×`}
      tone={volumeTone(ratio)}
    />
  );
}
