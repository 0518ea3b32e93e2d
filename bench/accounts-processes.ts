/** The processes of `npm run bench:accounts`: what is started, and what each kind takes of CPU and memory, read from /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { start, until } from "@/scripts/proc.mjs";

/** A clock tick of /proc/PID/stat on every Linux that Node runs on. */
const TICK_MS = 10;

export type Program = ReturnType<typeof start>;

export interface Use {
  cpuMs: number;
  /** Memory of the kind now: what is shared between its processes counts once. */
  memoryMb: number;
}

interface Stat {
  pid: number;
  parent: number;
  ticks: number;
}

function statOf(pid: number): Stat | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = line
      .slice(line.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    // Own time and that of children which have ended: utime, stime, cutime, cstime.
    return { pid, parent: fields[1]!, ticks: fields[11]! + fields[12]! + fields[13]! + fields[14]! };
  } catch {
    return null;
  }
}

function memoryMbOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** What the programs and all that they started have used: a database's sessions leave the group of their server. */
export function useOf(programs: readonly Program[]): Use {
  const stats = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (statOf(Number(name)) ?? []) : []));
  const ours = new Set(programs.flatMap(({ group }) => group ?? []));
  for (let before = -1; before !== ours.size;) {
    before = ours.size;
    for (const { pid, parent } of stats) if (ours.has(parent)) ours.add(pid);
  }
  const own = stats.filter(({ pid }) => ours.has(pid));
  return {
    cpuMs: own.reduce((sum, { ticks }) => sum + ticks * TICK_MS, 0),
    memoryMb: own.reduce((sum, { pid }) => sum + memoryMbOf(pid), 0),
  };
}

const TSX = ["--import", "tsx"];

/** The practice market in memory, its clock at rest at the first opening. */
export async function startMarket(controlToken: string): Promise<{ program: Program; url: string }> {
  let url: string | undefined;
  const program = start("exchange", process.execPath, [...TSX, "workers/exchange.ts"], {
    env: { EXCHANGE_PORT: "0", EXCHANGE_SPEED: "1", EXCHANGE_CONTROL_TOKEN: controlToken, EXCHANGE_DATABASE_URL: "" },
    quiet: true,
    rank: 2,
    onLine: (line: string) => (url ??= /listens on (\S+):/.exec(line)?.[1]),
  });
  await until(program, () => url !== undefined, 120, "The exchange");
  return { program, url: url! };
}

export interface Worker {
  program: Program;
  metricsPort: number;
  /** From its start to its word that it is ready. */
  readyMs: number;
}

export interface WorkerOptions {
  env: Record<string, string>;
  metricsPort: number;
  profileDir: string | null;
  waitS: number;
}

/** A worker as the product runs it: what it says as a warning or worse is shown. */
export async function startWorker({ env, metricsPort, profileDir, waitS }: WorkerOptions): Promise<Worker> {
  const startedAt = performance.now();
  const profile =
    profileDir === null ? [] : ["--cpu-prof", "--cpu-prof-interval", "2000", "--cpu-prof-dir", profileDir];
  let isReady = false;
  const program = start("worker", process.execPath, [...profile, ...TSX, "workers/main.ts"], {
    env: { ...env, WORKER_METRICS_PORT: String(metricsPort) },
    graceS: 40,
    rank: 1,
    onMessage: (message: unknown) => (isReady ||= message === "ready"),
  });
  await until(program, () => isReady, waitS, "The worker");
  return { program, metricsPort, readyMs: performance.now() - startedAt };
}

/** Runs of jobs that ended so far, by job, over all workers. */
export async function jobRuns(workers: readonly Worker[]): Promise<Record<string, number>> {
  const runs: Record<string, number> = {};
  for (const { metricsPort } of workers) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    for (const [, job = "", outcome = "", count] of text.matchAll(
      /^tradewind_job_duration_seconds_count\{job="([^"]+)",outcome="([^"]+)"\} (\d+)/gm,
    )) {
      const name = outcome === "done" ? job : `${job} (${outcome})`;
      runs[name] = (runs[name] ?? 0) + Number(count);
    }
  }
  return runs;
}
