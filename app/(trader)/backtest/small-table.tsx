import type { ReactNode } from "react";

interface SmallTableProps {
  label: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** First column in words, the others figures. */
export function SmallTable({ label, heads, rows }: SmallTableProps) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line text-xs text-muted">
            {heads.map((head, i) => (
              <th
                key={head}
                scope="col"
                className={`py-1.5 font-medium whitespace-nowrap ${i === 0 ? "pr-3 text-left" : "pl-3 text-right"}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key} className="border-b border-line last:border-0">
              {cells.map((cell, i) => (
                <td key={heads[i]} className={`py-1.5 ${i === 0 ? "min-w-28 pr-3 text-left" : "pl-3 text-right"}`}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
