import { countText } from "@/lib/domain/format.ts";
import { Card } from "../../_ui/card.tsx";
import type { Performance } from "./performance-screen.tsx";
import { styled } from "../../_ui/styled.ts";

type Bar = Performance["distribution"][number];

const percent = (fraction: number) => `${Math.round(100 * fraction)}%`;

/** "below -10%", "-2% to -1%", "10% and more" */
function rangeText({ from, to }: Bar): string {
  if (from === null) return `below ${percent(to ?? 0)}`;
  return to === null ? `${percent(from)} and more` : `${percent(from)} to ${percent(to)}`;
}

/** How many round trips ended where: a bar for each range of P&L over entry value, with its count. */
export function DistributionCard({ bars }: { bars: readonly Bar[] }) {
  const most = Math.max(...bars.map(({ trips }) => trips), 0);
  if (most === 0) return null;
  return (
    <Card title="Round trips by result">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">Round trips by profit or loss, in percent of what was paid for them</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Round trips</th>
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.from ?? "lowest"}>
              <th scope="row" className="w-32 py-1 pr-3 text-right font-normal whitespace-nowrap text-muted">
                {rangeText(bar)}
              </th>
              <td className="py-1">
                <span className="flex items-center gap-2">
                  <span
                    aria-hidden
                    className={`h-4 rounded-sm forced-color-adjust-none ${(bar.to ?? 1) <= 0 ? "bg-loss" : "bg-gain"}`}
                    // A single round trip stays visible beside many.
                    ref={styled({ width: bar.trips === 0 ? "0" : `max(2px, ${(80 * bar.trips) / most}%)` })}
                  />
                  {countText(bar.trips)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
