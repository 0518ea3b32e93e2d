/**
 * The rows of a CSV text (RFC 4180): quoted cells may hold commas, line ends and doubled quotes; empty lines at the end are no rows. Null where
 * it is no such text.
 */
export function csvRows(csv: string): string[][] | null {
  const text = csv.trimEnd();
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const cell = cellAt(text, at);
    if (cell === null) return null;
    row.push(cell.value);
    at = cell.end;
    if (text[at] === ",") {
      at += 1;
      // A comma at the very end opens a last, empty cell.
      if (at < text.length) continue;
      row.push("");
    }
    rows.push(row);
    row = [];
    at += text.startsWith("\r\n", at) ? 2 : 1;
  }
  return rows;
}

/** The cell that begins at a place, and where it ends: at a comma, at a line end or with the text. */
function cellAt(text: string, start: number): { value: string; end: number } | null {
  if (text[start] !== '"') {
    let end = start;
    while (end < text.length && !isEnd(text, end)) {
      if (text[end] === '"') return null;
      end += 1;
    }
    return { value: text.slice(start, end), end };
  }
  let at = start + 1;
  let value = "";
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  return at === text.length || isEnd(text, at) ? { value, end: at } : null;
}

const isEnd = (text: string, at: number) => text[at] === "," || text[at] === "\n" || text.startsWith("\r\n", at);
