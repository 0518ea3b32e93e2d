import type { MarketName } from "@/lib/domain/enums.ts";
import { easternText } from "@/lib/domain/format.ts";
import { clockText } from "@/lib/domain/time.ts";

interface MarketClockProps {
  reading: { market: MarketName; isOpen: boolean; speed: number; now: number; isAnswering: boolean } | null;
}

/**
 * "Practice market · Tue 3 Mar 2020 10:42 ET · 60×", and whether that market is open; "Practice market, not answering, last 10:20 ET"
 * while no reading comes.
 */
export function MarketClock({ reading }: MarketClockProps) {
  if (reading === null) return <p className="min-h-5" />;
  const name = reading.market === "PRACTICE" ? "Practice market" : "US market";
  if (!reading.isAnswering) {
    return (
      <p className="flex min-h-5 items-center gap-2 tabular-nums">
        <span aria-hidden className="size-2 shrink-0 rounded-full bg-amber-400" />
        <span className="text-warn">{`${name}, not answering, last ${clockText(new Date(reading.now).toISOString())} ET`}</span>
      </p>
    );
  }
  const parts = [name, easternText(reading.now)];
  if (reading.speed !== 1) parts.push(reading.speed === 0 ? "paused" : `${reading.speed}×`);
  return (
    <p className="flex min-h-5 items-center gap-2 tabular-nums">
      <span aria-hidden className={`size-2 shrink-0 rounded-full ${reading.isOpen ? "bg-gain" : "bg-line-strong"}`} />
      <span>
        <span className="text-ink">{parts.join(" · ")}</span>
        <span className="ml-2">{reading.isOpen ? "Open" : "Closed"}</span>
      </span>
    </p>
  );
}
