import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { findingText, type Finding, type Repair, repairsOf } from "@/lib/domain/backtest/check.ts";
import type { HistoryIndex } from "@/lib/domain/backtest/market.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { checkTape, type TapeReport } from "@/lib/tape/check.ts";
import { csvCell, type TapeFile, type TapeRows, writeTape } from "@/lib/tape/write-tape.ts";
import { readHistory } from "./read-history.ts";

export interface OpenTape {
  index: HistoryIndex;
  /** What is read: the tape itself, or its repaired copy. */
  directory: string;
  repairs: Repair[];
  /** Removes the repaired copy. */
  close(): void;
}

/**
 * A tape that `npm run tape -- check` finds sound, ready to be traded. Throws a Failure with one sentence per fault. With
 * `isRepaired` it continues with a copy without the faults, where that is possible, and says what was changed.
 */
export function openTape(directory: string, seed: number, isRepaired: boolean): OpenTape {
  const report = checkTape(directory);
  const errors = report.findings.filter(({ level }) => level === "error");
  if (errors.length === 0)
    return { index: readHistory(directory, seed), directory, repairs: [], close: () => undefined };
  const refused = isRepaired ? errors.filter(({ repair }) => repair === null) : errors;
  if (refused.length > 0) throw refusal(refused);
  const root = mkdtempSync(path.join(os.tmpdir(), "tape-"));
  const close = () => rmSync(root, { recursive: true, force: true });
  try {
    // The copy bears the tape's name: results are told by it.
    const copy = path.join(root, path.basename(path.resolve(directory)));
    writeTape(copy, rowsOf(report));
    // What a repair leaves out is what it continues without; a tape that it emptied is none.
    const left = checkTape(copy).findings.filter(({ level, repair }) => level === "error" && repair === null);
    if (left.length > 0) throw refusal(left);
    return { index: readHistory(copy, seed), directory: copy, repairs: repairsOf(errors), close };
  } catch (error) {
    close();
    throw error;
  }
}

function refusal(findings: readonly Finding[]): Failure {
  return new Failure("invalid_input", findings.map(findingText).join("\n"));
}

function rowsOf({ repaired }: TapeReport): TapeRows {
  const lines = Object.entries(repaired).map(([name, rows]) => [name, rows.map((row) => row.map(csvCell).join(","))]);
  return Object.fromEntries(lines) as Record<TapeFile, string[]>;
}
