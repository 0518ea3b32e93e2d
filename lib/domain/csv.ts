/**
 * CSV as RFC 4180 writes it, safe to open in a spreadsheet: a text that a spreadsheet would take for a formula gets an
 * apostrophe in front, numbers stay numbers. `null` is an empty field, the empty text is "".
 */
export type CsvCell = string | number | bigint | boolean | null;

/** Begins a file: without this mark Excel reads UTF-8 in the code page of its computer. */
export const CSV_START = "\uFEFF";

/**
 * What begins a formula (OWASP, "CSV injection"), full-width forms included, behind whatever blanks; control characters
 * that some programs skip; and what already carries an apostrophe for that reason, so that no two texts look the same.
 */
const FORMULA = /^'*(?:[\t\r\n\0]|\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;
/** A negative number is no formula. */
const NEGATIVE = /^-\d+(\.\d+)?$/;
const NEEDS_QUOTES = /[",;\r\n\t\0]|^\s|\s$/;

/** Lines with CRLF behind each. Throws for a number that is not finite: nothing undefined leaves as a figure. */
export function csvText(rows: readonly (readonly CsvCell[])[]): string {
  return rows.map((row) => `${row.map(cellText).join(",")}\r\n`).join("");
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number" && !Number.isFinite(cell)) throw new Error(`${cell} is no figure`);
  if (typeof cell !== "string") return String(cell);
  const safe = FORMULA.test(cell) && !NEGATIVE.test(cell) ? `'${cell}` : cell;
  return safe === "" || NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
