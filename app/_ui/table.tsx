"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import { useDensity } from "../_hooks/use-density.ts";
import { useIsPhone } from "../_hooks/use-is-phone.ts";

export interface Column<Row> {
  key: string;
  title: string;
  isNumber?: boolean;
  /** Where the list can be ordered by this column: the way it is ordered first, largest and newest or A to Z. */
  sort?: Sorting["direction"];
  /** True for links and buttons, which lead nowhere on paper. */
  isScreenOnly?: boolean;
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

interface OpenByClick {
  onClick?: (event: MouseEvent) => void;
}

const align = <Row,>({ isNumber, isScreenOnly }: Column<Row>) =>
  `${isNumber === true ? "text-right tabular-nums" : "text-left"} ${isScreenOnly === true ? "print:hidden" : ""}`;

/** Whether the table is as narrow as its place; else it scrolls sideways, and then its head cannot stay in sight. */
function useFits() {
  const table = useRef<HTMLTableElement>(null);
  const [fits, setFits] = useState(false);
  useEffect(() => {
    const [inner, box] = [table.current, table.current?.parentElement];
    if (!inner || !box) return;
    const watch = new ResizeObserver(() => setFits(inner.offsetWidth <= box.clientWidth));
    watch.observe(inner);
    watch.observe(box);
    return () => watch.disconnect();
  }, []);
  return { table, fits };
}

/** A plain table; under 640 px a list of two-line cards. One of the two is in the document, never both. */
export function Table<Row>({ caption, columns, rows, rowKey, card, sorting, onSort, onOpen }: TableProps<Row>) {
  const isPhone = useIsPhone();
  const isDense = useDensity().density === "dense";
  // Selecting text in a row does not open it, and what folds and unfolds in it does that alone.
  const isSelecting = () => document.getSelection()?.isCollapsed === false;
  const isInFold = ({ target }: MouseEvent) => target instanceof Element && target.closest("details") !== null;
  const open = (row: Row): OpenByClick =>
    onOpen ? { onClick: (event) => isSelecting() || isInFold(event) || onOpen(row) } : {};
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
  return <WideTable {...{ caption, columns, rows, rowKey, isDense, sorting, onSort, open }} />;
}

interface WideTableProps<Row> extends Pick<TableProps<Row>, "caption" | "columns" | "rows" | "rowKey"> {
  isDense: boolean;
  sorting: Sorting | undefined;
  onSort: TableProps<Row>["onSort"] | undefined;
  open: (row: Row) => OpenByClick;
}

function WideTable<Row>({ caption, columns, rows, rowKey, isDense, sorting, onSort, open }: WideTableProps<Row>) {
  const { table, fits } = useFits();
  const pad = `px-3 first:pl-5 last:pr-5 ${isDense ? "py-1" : "py-2.5"} print:px-1`;
  return (
    <div {...(fits ? {} : { className: "overflow-x-auto", tabIndex: 0 })} role="region" aria-label={caption}>
      <table ref={table} className="w-full border-collapse text-sm print:text-[10px]">
        <thead className="sticky top-0 z-10 bg-surface shadow-[inset_0_-1px_0_var(--line)]">
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr
              key={rowKey(row)}
              className={`border-b border-line last:border-0 hover:bg-sunken ${open(row).onClick ? "cursor-pointer" : ""}`}
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
  const className = `px-3 py-2.5 text-xs print:px-1 print:text-[10px] font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5 ${align(column)}`;
  if (column.sort === undefined || !onSort) {
    return (
      <th scope="col" className={className}>
        {column.title}
      </th>
    );
  }
  const Arrow = sorting?.direction === "asc" ? ArrowUp : ArrowDown;
  const turned = sorting?.direction === "desc" ? "asc" : "desc";
  const next = { by: column.key, direction: isSorted ? turned : column.sort };
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sorting.direction === "asc" ? "ascending" : "descending") : "none"}
      className={className}
    >
      <button
        type="button"
        onClick={() => onSort(next)}
        // The arrow stands before a title that ends where its numbers end.
        className={`tap inline-flex min-h-6 items-center gap-1 rounded-sm font-medium hover:text-ink ${column.isNumber === true ? "flex-row-reverse" : ""}`}
      >
        {column.title}
        <Arrow aria-hidden className={`size-3 ${isSorted ? "" : "opacity-0"}`} />
      </button>
    </th>
  );
}
