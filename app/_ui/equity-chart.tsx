"use client";
import { useState } from "react";
import { easternText, moneyText, signedMoneyText } from "@/lib/domain/format.ts";
import { Empty } from "./empty.tsx";
import { EquityCanvas } from "./equity-canvas.tsx";

export interface EquityPoint {
  at: string;
  equity: number;
}

/** Rows of the data table: enough to follow the line, few enough to read out. */
const TABLE_ROWS = 60;

/** An equity line with its answer above it, a summary in words and the figures as a table. */
export function EquityChart({ points }: { points: readonly EquityPoint[] }) {
  const [hovered, setHovered] = useState<EquityPoint | null>(null);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) {
    return (
      <Empty title="No equity recorded yet" hint="The line starts with the first reading of a connected account." />
    );
  }
  const shown = hovered ?? last;
  const recent = points.slice(-TABLE_ROWS).reverse();
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-xl font-semibold tracking-tight tabular-nums">{moneyText(shown.equity)}</span>
        <span className="text-xs text-muted tabular-nums">{easternText(shown.at)}</span>
      </p>
      {points.length === 1 ? (
        <p className="py-10 text-center text-sm text-muted">One reading so far. The line starts with the second.</p>
      ) : (
        <>
          <p className="sr-only">
            {`Equity from ${easternText(first.at)}, ${moneyText(first.equity)}, to ${easternText(last.at)}, ${moneyText(last.equity)}: ` +
              `a change of ${signedMoneyText(last.equity - first.equity)} over ${points.length} readings.`}
          </p>
          <EquityCanvas points={points} onHover={setHovered} />
        </>
      )}
      <details className="mt-2 text-xs">
        <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-muted hover:text-ink">
          Show the figures
        </summary>
        <div className="mt-2 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label="Equity figures">
          <table className="w-full tabular-nums">
            <caption className="pb-1 text-left text-muted">
              {points.length > TABLE_ROWS
                ? `The latest ${TABLE_ROWS} of ${points.length} readings, newest first`
                : "All readings, newest first"}
            </caption>
            <thead>
              <tr className="border-b border-line text-left text-muted">
                <th scope="col" className="py-1 font-medium">
                  Time
                </th>
                <th scope="col" className="py-1 text-right font-medium">
                  Equity
                </th>
              </tr>
            </thead>
            <tbody>
              {recent.map((point) => (
                <tr key={point.at} className="border-b border-line last:border-0">
                  <td className="py-1">{easternText(point.at)}</td>
                  <td className="py-1 text-right">{moneyText(point.equity)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  );
}
