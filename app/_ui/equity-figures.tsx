"use client";
import type { TradeMark } from "@/lib/domain/equity-line.ts";
import { countText, easternText, moneyText, signedPercentText } from "@/lib/domain/format.ts";
import type { EquityLine } from "./equity-chart.tsx";
import { FiguresFold } from "./figures-fold.tsx";
import { MarkRows } from "./mark-list.tsx";
import { TableHead } from "./table-head.tsx";

/** Rows of a data table: enough to follow the line, few enough to read out. */
const TABLE_ROWS = 60;

interface EquityFiguresProps {
  line: EquityLine;
  marks: readonly TradeMark[];
  onOpenTrade: ((tradeId: string) => void) | undefined;
}

/** The line as tables: for screen readers and for users who want the figures. */
export function EquityFigures({ line, marks, onOpenTrade }: EquityFiguresProps) {
  return (
    <FiguresFold label="Equity figures">
      {() => (
        <>
          <Readings line={line} />
          {marks.length > 0 && (
            <div className="mt-4">
              <p className="pb-1 text-muted">
                {marks.length > TABLE_ROWS
                  ? `The latest ${TABLE_ROWS} of ${countText(marks.length)} trades, newest first`
                  : "All trades, newest first"}
              </p>
              <MarkRows marks={marks.slice(-TABLE_ROWS).reverse()} onOpenTrade={onOpenTrade} />
            </div>
          )}
        </>
      )}
    </FiguresFold>
  );
}

function Readings({ line: { points, drawdowns, benchmark } }: { line: EquityLine }) {
  const spyAt = new Map(benchmark.map(({ at, value }) => [at, value]));
  const from = Math.max(0, points.length - TABLE_ROWS);
  const rows = points.slice(from).map((point, i) => ({ ...point, drawdown: drawdowns[from + i] ?? 0 }));
  return (
    <table className="w-full tabular-nums">
      <caption className="pb-1 text-left text-muted">
        {points.length > TABLE_ROWS
          ? `The latest ${TABLE_ROWS} of ${countText(points.length)} readings, newest first`
          : "All readings, newest first"}
      </caption>
      <TableHead titles={["Time", "Equity", "Drawdown", ...(benchmark.length > 1 ? ["In SPY"] : [])]} cell="py-1" />
      <tbody>
        {rows.reverse().map((row) => {
          const spy = spyAt.get(row.at);
          return (
            <tr key={row.at} className="border-b border-line last:border-0">
              <td className="py-1">{easternText(row.at)}</td>
              <td className="amount py-1 text-right">{moneyText(row.equity)}</td>
              <td className="py-1 text-right">{signedPercentText(row.drawdown)}</td>
              {benchmark.length > 1 && (
                <td className="amount py-1 text-right">{spy === undefined ? "—" : moneyText(spy)}</td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
