import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { type Findings, ORDER_RULES } from "@/lib/domain/backtest/check.ts";
import { cellsOf } from "@/lib/exchange/market/tape.ts";
import { isDate } from "@/lib/command.ts";
import { COLUMNS, type TapeFile } from "./write-tape.ts";

/** What a repaired tape continues without, where a file cannot be used; the bars are required. */
const WITHOUT: Record<TapeFile, string | null> = {
  "assets.csv": "symbols stand for names, and sectors are unknown",
  "bars.csv.gz": null,
  "splits.csv": "no split is known",
  "dividends.csv": "no dividend is known",
  "vix.csv": "without the VIX the regime is never risk on",
  "earnings.csv": "no report is known, and the earnings gate refuses every entry",
};

/** Why a file cannot be read, by the code of the system's or the decompressor's error. */
const UNREADABLE: Record<string, string> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EISDIR: "it is a directory",
  ENOTDIR: "its directory is a file",
  Z_BUF_ERROR: "the gzip file is cut off",
  Z_DATA_ERROR: "the gzip file is damaged, or it is none",
};

function contentOf(directory: string, name: TapeFile, findings: Findings): string | null {
  const repair = WITHOUT[name];
  try {
    const raw = readFileSync(path.join(directory, name));
    return (name.endsWith(".gz") ? gunzipSync(raw) : raw).toString("utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (code === "ENOENT") {
      // A tape without reports is reported when it is run: entries wait. Without the rest its numbers would be wrong.
      const level = name === "earnings.csv" ? "warning" : "error";
      findings.add(level, name, { rule: "the file is there", repair, sentence: `${name} is missing.` }, "missing");
      return null;
    }
    const why = UNREADABLE[code] ?? "the system refuses it";
    const sentence = `${name} cannot be read: ${why}.`;
    findings.add("error", name, { rule: "the file can be read", repair, sentence }, why);
    return null;
  }
}

/** The rows of one file as cells; what is not as it should be is noted, and rows of the wrong width are left out. */
export function readFile(directory: string, name: TapeFile, findings: Findings): string[][] {
  const content = contentOf(directory, name, findings);
  if (content === null) return [];
  const lines = content.split(/\r?\n/);
  const header = lines[0] ?? "";
  if (header !== COLUMNS[name]) {
    const found = header === "" ? "nothing" : `"${header.slice(0, 100)}"`;
    const sentence = `${name} begins with ${found} instead of its header "${COLUMNS[name]}".`;
    findings.add("error", name, { rule: `the header is ${COLUMNS[name]}`, repair: WITHOUT[name], sentence }, found);
    return [];
  }
  const width = header.split(",").length;
  const wide = { rule: `every row has ${width} cells`, repair: "the rows are left out" };
  const rows: string[][] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0 || line === "") continue;
    const cells = cellsOf(line);
    if (cells.length === width) rows.push(cells);
    else findings.add("error", name, wide, `line ${i + 1}: ${line.slice(0, 80)}`);
  }
  return rows;
}

const DATES = { rule: "dates are dates", repair: "the rows are left out" };

/** The rows in order of their key: dates are dates, nothing comes twice; what was not so is noted. */
export function inOrder(
  name: TapeFile,
  rows: string[][],
  keyOf: (row: string[]) => string,
  findings: Findings,
): string[][] {
  const dated =
    name === "assets.csv"
      ? rows
      : rows.filter((row) => {
          const isSound = isDate(row[0] ?? "");
          if (!isSound) findings.add("error", name, DATES, row.join(","));
          return isSound;
        });
  const keyed = dated.map((row) => ({ key: keyOf(row), row }));
  let before = "";
  for (const { key } of keyed) {
    if (key < before) findings.add("error", name, ORDER_RULES.sorted, `${key} after ${before}`);
    else before = key;
  }
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed
    .filter(({ key }, i) => {
      const isDouble = i > 0 && key === keyed[i - 1]!.key;
      if (isDouble) findings.add("error", name, ORDER_RULES.double, key);
      return !isDouble;
    })
    .map(({ row }) => row);
}
