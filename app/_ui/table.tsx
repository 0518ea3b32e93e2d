"use client";
import type { ReactNode } from "react";
import { useIsPhone } from "../_hooks/use-is-phone.ts";

export interface Column<Row> {
  key: string;
  title: string;
  isNumber?: boolean;
  cell: (row: Row) => ReactNode;
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The two-line card that a row becomes on a phone. */
  card: (row: Row) => ReactNode;
}

const align = <Row,>(column: Column<Row>) => (column.isNumber === true ? "text-right tabular-nums" : "text-left");

/** A plain table; under 640 px a list of two-line cards. One of the two is in the document, never both. */
export function Table<Row>({ caption, columns, rows, rowKey, card }: TableProps<Row>) {
  const isPhone = useIsPhone();
  if (isPhone) {
    return (
      <ul className="divide-y divide-line" aria-label={caption}>
        {rows.map((row) => (
          <li key={rowKey(row)} className="px-4 py-3">
            {card(row)}
          </li>
        ))}
      </ul>
    );
  }
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                className={`px-3 py-2.5 text-xs font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5 ${align(column)}`}
              >
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-0 hover:bg-sunken">
              {columns.map((column) => (
                <td key={column.key} className={`px-3 py-2.5 first:pl-5 last:pr-5 ${align(column)}`}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
