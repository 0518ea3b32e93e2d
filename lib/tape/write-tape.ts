import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

/** The columns of each file of a tape. */
export const COLUMNS = {
  "assets.csv": "symbol,name,sector",
  "bars.csv.gz": "date,symbol,open,high,low,close,volume",
  "splits.csv": "date,symbol,ratio",
  "dividends.csv": "date,symbol,amount",
  "vix.csv": "date,open,high,low,close",
  "earnings.csv": "date,symbol",
} as const;

export type TapeFile = keyof typeof COLUMNS;
export type TapeRows = Record<TapeFile, string[]>;

export function csvCell(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""').replaceAll(/[\r\n]+/g, " ")}"` : text;
}

/** Orders rows by their first two columns, dates and symbols, without doubles. */
export function sortedRows(rows: string[]): string[] {
  const keyOf = (row: string) => row.split(",", 2).join(",");
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Writes the files of a tape, each whole or not at all; the bars come last, as a tape without them is none. */
export function writeTape(directory: string, tape: TapeRows): void {
  mkdirSync(directory, { recursive: true });
  const files = (Object.keys(COLUMNS) as TapeFile[]).sort((a) => (a === "bars.csv.gz" ? 1 : -1));
  for (const name of files) {
    const content = `${[COLUMNS[name], ...tape[name]].join("\n")}\n`;
    const file = path.join(directory, name);
    writeFileSync(`${file}.new`, name.endsWith(".gz") ? gzipSync(content) : content);
    renameSync(`${file}.new`, file);
  }
}
