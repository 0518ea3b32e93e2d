"use client";
import type { ReactNode } from "react";
import { useIsPhone } from "../../_hooks/use-is-phone.ts";
import { TableHead } from "../../_ui/table-head.tsx";

interface SmallTableProps {
  label: string;
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** Columns that a phone has room for. */
const PHONE_COLUMNS = 2;

/** First column in words, the others figures; under 640 px each row of many columns is a card of two lines. */
export function SmallTable({ label, heads, rows }: SmallTableProps) {
  const isPhone = useIsPhone();
  if (isPhone && heads.length > PHONE_COLUMNS) return <Cards {...{ label, heads, rows }} />;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full text-sm tabular-nums">
        <TableHead titles={heads} cell="py-1.5 pl-3 whitespace-nowrap first:pr-3 first:pl-0" />
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

function Cards({ label, heads, rows }: SmallTableProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line border-y border-line text-sm tabular-nums">
      {rows.map(({ key, cells: [name, ...figures] }) => (
        <li key={key} className="py-2">
          <div className="font-medium">{name}</div>
          <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {figures.map((figure, i) => (
              <div key={heads[i + 1]}>
                <dt className="text-xs text-muted">{heads[i + 1]}</dt>
                <dd>{figure}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}
