import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { cellsOf } from "@/lib/exchange/market/tape.ts";
import { COLUMNS, type TapeFile } from "./write-tape.ts";

/** What is wrong with a tape: an error makes its numbers wrong, a warning is worth a look. */
export interface Finding {
  level: "error" | "warning";
  file: TapeFile;
  rule: string;
  /** How often, and the first few cases. */
  count: number;
  examples: string[];
}

const EXAMPLES = 3;

/** Collects cases by rule. */
export function createFindings() {
  const byRule = new Map<string, Finding>();
  return {
    add(level: Finding["level"], file: TapeFile, rule: string, example: string): void {
      const key = `${file} ${rule}`;
      const finding = byRule.get(key) ?? { level, file, rule, count: 0, examples: [] };
      byRule.set(key, finding);
      finding.count += 1;
      if (finding.examples.length < EXAMPLES) finding.examples.push(example);
    },
    list: () => [...byRule.values()].sort((a, b) => (a.level === b.level ? 0 : a.level === "error" ? -1 : 1)),
  };
}

export type Findings = ReturnType<typeof createFindings>;

/** The rows of one file as cells; what is not as it should be is noted, and rows of the wrong width are left out. */
export function readFile(directory: string, name: TapeFile, findings: Findings): string[][] {
  const file = path.join(directory, name);
  const isNeeded = name === "bars.csv.gz" || name === "assets.csv";
  if (!existsSync(file)) {
    findings.add(isNeeded ? "error" : "warning", name, "the file is there", "missing");
    return [];
  }
  const raw = readFileSync(file);
  let content: string;
  try {
    content = (name.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8");
  } catch {
    findings.add("error", name, "the file can be read", "not a gzip file, or cut off");
    return [];
  }
  const lines = content.split(/\r?\n/);
  const header = lines[0] ?? "";
  if (header !== COLUMNS[name]) {
    findings.add("error", name, `the header is ${COLUMNS[name]}`, header.slice(0, 100));
    return [];
  }
  const width = header.split(",").length;
  const rows: string[][] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line === "") continue;
    const cells = cellsOf(line);
    if (cells.length === width) rows.push(cells);
    else findings.add("error", name, `every row has ${width} cells`, `line ${i + 1}: ${line.slice(0, 80)}`);
  }
  return rows;
}

const isDate = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Dates are dates, and rows are in order of their key without doubles. */
export function checkOrder(
  name: TapeFile,
  rows: string[][],
  keyOf: (row: string[]) => string,
  findings: Findings,
): void {
  let before = "";
  for (const row of rows) {
    const key = keyOf(row);
    if (name !== "assets.csv" && !isDate(row[0] ?? "")) findings.add("error", name, "dates are dates", row.join(","));
    if (key === before) findings.add("error", name, "no row comes twice", key);
    else if (key < before) findings.add("error", name, "rows are sorted", `${key} after ${before}`);
    before = key > before ? key : before;
  }
}
