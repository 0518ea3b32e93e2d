import { CSV_START, csvText, type CsvCell } from "@/lib/domain/csv.ts";
import type { ArchiveFile } from "./archive.ts";

/** Rows of one reading; a shorter page is the last. */
export const CSV_PAGE = 1_000;

interface CsvTable<Row extends object> {
  /** Without its ending. */
  name: string;
  /** The page behind the last row that was read. */
  read: (last: Row | undefined) => Promise<Row[]>;
  /** What stands in the file, in order; by default everything that the rows hold. */
  columns?: readonly (readonly [title: string, cell: (row: Row) => unknown])[];
  /** Called before each page. */
  beat: () => Promise<void>;
}

/** A table as a file of an archive, read in pages while it is written. Without columns of its own, an empty table is empty. */
export function csvFile<Row extends object>({ name, read, columns, beat }: CsvTable<Row>): ArchiveFile {
  let rows = 0;
  async function* chunks() {
    if (columns) yield CSV_START + csvText([columns.map(([title]) => title)]);
    let last: Row | undefined;
    for (;;) {
      await beat();
      const page = await read(last);
      const [first] = page;
      if (!first) return;
      const cells = columns ?? Object.keys(first).map((key) => [key, (row: Row) => row[key as keyof Row]] as const);
      const lines = page.map((row) => cells.map(([, cell]) => cellOf(cell(row))));
      yield columns || last ? csvText(lines) : CSV_START + csvText([cells.map(([title]) => title), ...lines]);
      rows += page.length;
      last = page.at(-1);
      if (page.length < CSV_PAGE) return;
    }
  }
  return { name: `${name}.csv`, chunks: chunks(), rows: () => rows };
}

/** Exact decimals as their digits, instants in ISO form, what is nested as JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== "object") return value as CsvCell;
  if ("toFixed" in value) return (value as { toFixed(): string }).toFixed();
  return JSON.stringify(value);
}
