"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { useDensity } from "../_hooks/use-density.ts";
import { useIsPhone } from "../_hooks/use-is-phone.ts";

export interface Column<Row> {
  key: string;
  title: string;
  isNumber?: boolean;
  /** True where the list can be ordered by this column. */
  isSortable?: boolean;
  cell: (row: Row) => ReactNode;
}

export interface Sorting {
  by: string;
  direction: "asc" | "desc";
}

interface TableProps<Row> {
  caption: string;
  columns: readonly Column<Row>[];
  /** At most 200: longer lists come in pages. */
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** The two-line card that a row becomes on a phone. */
  card: (row: Row) => ReactNode;
  sorting?: Sorting;
  onSort?: (sorting: Sorting) => void;
  /** A click anywhere on a row; the row's own link or button does the same by keyboard. */
  onOpen?: (row: Row) => void;
}

const align = <Row,>(column: Column<Row>) => (column.isNumber === true ? "text-right tabular-nums" : "text-left");

/** A plain table; under 640 px a list of two-line cards. One of the two is in the document, never both. */
export function Table<Row>({ caption, columns, rows, rowKey, card, sorting, onSort, onOpen }: TableProps<Row>) {
  const isPhone = useIsPhone();
  const isDense = useDensity().density === "dense";
  const open = (row: Row) => (onOpen ? { onClick: () => onOpen(row) } : {});
  if (isPhone) {
    return (
      <ul className="divide-y divide-line" aria-label={caption}>
        {rows.map((row) => (
          <li key={rowKey(row)} className="px-4 py-3" {...open(row)}>
            {card(row)}
          </li>
        ))}
      </ul>
    );
  }
  const pad = `px-3 first:pl-5 last:pr-5 ${isDense ? "py-1" : "py-2.5"}`;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="w-full border-collapse text-sm">
        <thead className="sticky top-0 z-10 bg-surface">
          <tr className="border-b border-line">
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={`border-b border-line last:border-0 hover:bg-sunken ${onOpen ? "cursor-pointer" : ""}`}
              {...open(row)}
            >
              {columns.map((column) => (
                <td key={column.key} className={`${pad} ${align(column)}`}>
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

interface HeadProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
  onSort: ((sorting: Sorting) => void) | undefined;
}

function Head<Row>({ column, sorting, onSort }: HeadProps<Row>) {
  const isSorted = sorting?.by === column.key;
  const look = `px-3 py-2.5 text-xs font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5 ${align(column)}`;
  if (column.isSortable !== true || !onSort) {
    return (
      <th scope="col" className={look}>
        {column.title}
      </th>
    );
  }
  const Arrow = sorting?.direction === "asc" ? ArrowUp : ArrowDown;
  // A new column begins with the largest or newest; the same one turns around.
  const next = { by: column.key, direction: isSorted && sorting.direction === "desc" ? "asc" : "desc" } as const;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sorting.direction === "asc" ? "ascending" : "descending") : "none"}
      className={look}
    >
      <button
        type="button"
        onClick={() => onSort(next)}
        className="inline-flex min-h-6 items-center gap-1 rounded-sm font-medium hover:text-ink"
      >
        {column.title}
        <Arrow aria-hidden className={`size-3 ${isSorted ? "" : "opacity-0"}`} />
      </button>
    </th>
  );
}
