import type { backtestGridsApi } from "@/lib/contracts/backtest-grids.ts";
import type { Answer } from "@/lib/contracts/endpoint.ts";
import { statisticText } from "@/lib/domain/statistics/text.ts";
import { AmountsText } from "../../_ui/money.tsx";
import { heatColour, heatOf } from "./heat.ts";
import { styled } from "../../_ui/styled.ts";

export type Grid = NonNullable<Answer<typeof backtestGridsApi.read>["grid"]>;
type Axis = Grid["rows"];
export type Cells = NonNullable<Grid["result"]>["cells"];
export type MeasureName = keyof Cells[number][number];

interface Measure {
  label: string;
  unit: "fraction" | "ratio" | "count" | "share";
  /** Above zero is a gain, below it a loss. */
  isSigned: boolean;
}

export const MEASURES: Record<MeasureName, Measure> = {
  totalReturn: { label: "Return", unit: "fraction", isSigned: true },
  maxDrawdown: { label: "Drawdown", unit: "fraction", isSigned: true },
  sharpe: { label: "Sharpe", unit: "ratio", isSigned: true },
  trades: { label: "Round trips", unit: "count", isSigned: false },
  exposure: { label: "Exposure", unit: "share", isSigned: false },
};

interface HeatTableProps {
  rows: Axis;
  columns: Axis;
  cells: Cells;
  measure: MeasureName;
}

/** One figure of every run by the two settings: each cell has its number, the colour only repeats it. */
export function HeatTable({ rows, columns, cells, measure }: HeatTableProps) {
  const { label } = MEASURES[measure];
  const title = `${label} by ${rows.label.toLowerCase()} and ${columns.label.toLowerCase()}`;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={title}>
      <table className="w-full min-w-120 table-fixed border-separate border-spacing-1 text-sm tabular-nums">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr className="text-xs text-muted">
            <th
              scope="col"
              rowSpan={2}
              className="sticky left-0 w-24 bg-surface px-1 text-left align-bottom font-medium"
            >
              {rows.label}
            </th>
            <th scope="colgroup" colSpan={columns.values.length} className="px-1 text-center font-medium">
              {columns.label}
            </th>
          </tr>
          <tr>
            {columns.values.map((value, place) => (
              <Value key={value} scope="col" value={value} isOwn={place === columns.own} />
            ))}
          </tr>
        </thead>
        <tbody>
          {cells.map((line, row) => (
            <tr key={rows.values[row]}>
              <Value scope="row" value={rows.values[row] ?? ""} isOwn={row === rows.own} />
              {line.map((cell, column) => (
                <HeatCell
                  key={columns.values[column]}
                  value={cell[measure].value}
                  all={cells.flat().map((one) => one[measure].value)}
                  measure={MEASURES[measure]}
                  isOwn={row === rows.own && column === columns.own}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A value of a setting; the chosen one is set off. */
function Value({ scope, value, isOwn }: { scope: "col" | "row"; value: string; isOwn: boolean }) {
  // The settings of a row stay in view while a narrow screen is scrolled.
  const place = scope === "col" ? "text-center" : "sticky left-0 bg-surface text-left";
  return (
    <th
      scope={scope}
      className={`px-1 py-1 text-xs ${place} ${isOwn ? "font-bold text-ink" : "font-medium text-muted"}`}
    >
      <AmountsText text={value} />
    </th>
  );
}

interface HeatCellProps {
  value: number | null;
  all: readonly (number | null)[];
  measure: Measure;
  isOwn: boolean;
}

function HeatCell({ value, all, measure: { unit, isSigned }, isOwn }: HeatCellProps) {
  const text = statisticText({ value, unit });
  // What reads 0.00% is on neither side.
  const heat = heatOf(/[1-9]/.test(text) ? value : 0, all, isSigned);
  return (
    <td
      className={`rounded-md px-1 py-2 text-center whitespace-nowrap ${isOwn ? "font-bold outline-2 -outline-offset-2 outline-ink" : ""}`}
      ref={styled({ "background-color": heatColour(heat) ?? "transparent" })}
    >
      {text}
      {isOwn && <span className="sr-only"> (the settings chosen)</span>}
    </td>
  );
}
