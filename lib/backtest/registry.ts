import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Trials } from "@/lib/domain/statistics/statistics.ts";
import { canonicalJson } from "@/lib/domain/engine/canonical.ts";
import { Failure } from "@/lib/domain/failures.ts";

/** One run, as it is kept forever. */
export interface RegistryEntry {
  kind: "run" | "sweep" | "walk_forward_train" | "walk_forward_test";
  tape: string;
  tapeHash: string;
  strategy: string;
  /** SHA-256 of the policy. */
  policyHash: string;
  /** What a sweep changed; empty otherwise. */
  parameters: Record<string, number>;
  preferences: Record<string, string | number | boolean>;
  from: string;
  to: string;
  cash: string;
  seed: number;
  finalEquity: string;
  sharpe: number | null;
  maxDrawdown: number | null;
  trades: number;
}

interface RegistryRow extends RegistryEntry {
  /** 1-based */
  row: number;
  /** Wall time of the entry. */
  at: string;
  previous: string;
  hash: string;
}

const GENESIS = "0".repeat(64);
const LOCK_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

export function sha256(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

function hashOf({ hash: _, ...row }: RegistryRow): string {
  return sha256(row.previous + canonicalJson(row));
}

function broken(file: string, row: number, why: string): never {
  throw new Failure("conflict", `The registry ${file} is broken at row ${row}: ${why}. Nothing was entered.`);
}

function parseRow(file: string, line: string, number: number): RegistryRow {
  try {
    return JSON.parse(line) as RegistryRow;
  } catch {
    return broken(file, number, "it is not JSON");
  }
}

/** Every row, its chain checked from the first to the last and against the head; a broken one is named. */
export function readRegistry(directory: string): RegistryRow[] {
  const file = path.join(directory, "registry.jsonl");
  const headFile = path.join(directory, "registry.head");
  const lines = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
  let previous = GENESIS;
  const rows = lines.map((line, i) => {
    const row = parseRow(file, line, i + 1);
    if (row.row !== i + 1) broken(file, i + 1, `it says it is row ${row.row}`);
    if (row.previous !== previous) broken(file, i + 1, "it does not continue the row before it");
    if (row.hash !== hashOf(row)) broken(file, i + 1, "its content does not match its hash");
    previous = row.hash;
    return row;
  });
  if (!existsSync(headFile)) {
    if (rows.length > 0) broken(file, rows.length, "registry.head is missing");
    return rows;
  }
  const [count = "0", hash = ""] = readFileSync(headFile, "utf8").trim().split(" ");
  // A crash between the two writes leaves the head behind the rows, never before them.
  if (Number(count) > rows.length) broken(file, rows.length + 1, `${count} rows were entered, ${rows.length} are left`);
  if (Number(count) > 0 && rows[Number(count) - 1]?.hash !== hash)
    broken(file, Number(count), "it is not the row that was entered last");
  return rows;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** One writer at a time; the lock of a process that is gone is taken over. */
async function locked<T>(directory: string, work: () => T): Promise<T> {
  const lock = path.join(directory, "registry.lock");
  const giveUpAt = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const holder = existsSync(lock) ? Number(readFileSync(lock, "utf8")) : 0;
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
    else if (performance.now() > giveUpAt)
      throw new Failure("unavailable", `Another backtest (process ${holder}) holds the registry ${lock}.`);
    else await delay(POLL_MS);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function writeThrough(file: string, content: string, flag: "a" | "w"): void {
  const descriptor = openSync(file, flag);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Enters runs at the end of the chain, on disk before this answers; answers every row. `at` is wall time. */
export async function enterRuns(
  directory: string,
  entries: readonly RegistryEntry[],
  at: string,
): Promise<RegistryRow[]> {
  mkdirSync(directory, { recursive: true });
  return locked(directory, () => {
    const rows = readRegistry(directory);
    const fresh: RegistryRow[] = [];
    let previous = rows.at(-1)?.hash ?? GENESIS;
    for (const entry of entries) {
      const row: RegistryRow = { ...entry, row: rows.length + fresh.length + 1, at, previous, hash: "" };
      row.hash = previous = hashOf(row);
      fresh.push(row);
    }
    const all = [...rows, ...fresh];
    if (fresh.length === 0) return all;
    writeThrough(path.join(directory, "registry.jsonl"), fresh.map((row) => `${canonicalJson(row)}\n`).join(""), "a");
    const head = path.join(directory, "registry.head");
    writeThrough(`${head}.new`, `${all.length} ${previous}\n`, "w");
    renameSync(`${head}.new`, head);
    return all;
  });
}

/** The trials that a result was picked from: every run of the tape and the strategy. */
export function trialsOf(rows: readonly RegistryRow[], tape: string, strategy: string): Trials {
  const same = rows.filter((row) => row.tapeHash === tape && row.strategy === strategy);
  return { count: same.length, sharpes: same.flatMap(({ sharpe }) => (sharpe === null ? [] : [sharpe])) };
}
