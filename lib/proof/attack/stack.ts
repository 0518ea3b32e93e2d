/** A whole `npm start` of its own: its data directory, its programs, and a way to kill each of them. */
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, chmodSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";

const START_TIMEOUT_MS = 15 * 60_000;
const STOP_TIMEOUT_MS = 90_000;

const runFileIn = z.object({
  url: z.string(),
  exchange: z.string(),
  internal: z.object({
    databaseUrl: z.string(),
    controlToken: z.string(),
    env: z.record(z.string(), z.string()),
  }),
});
const childrenIn = z.array(z.object({ name: z.string(), group: z.number() }));

export type RunFile = z.output<typeof runFileIn>;

export interface Stack {
  run: RunFile;
  logFile: string;
  /** SIGKILLs a program with everything that it started; the launcher brings it back. */
  kill(name: "worker" | "watchdog" | "web" | "exchange" | "postgres" | "redis"): void;
  stop(): Promise<void>;
}

async function until(check: () => boolean, timeoutMs: number, what: string): Promise<void> {
  const endsAt = performance.now() + timeoutMs;
  while (!check()) {
    if (performance.now() > endsAt) throw new Error(`${what} took longer than ${timeoutMs / 1000} s`);
    await delay(250);
  }
}

/** Starts the product as a person would, on a market of this speed. */
export async function startStack(speed: number, settings: Record<string, string> = {}): Promise<Stack> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "tradewind-attack-"));
  chmodSync(dataDir, 0o755); // Postgres may run as another user
  const logFile = path.join(dataDir, "stack.log");
  const log = openSync(logFile, "w");
  const launcher = spawn(process.execPath, ["scripts/start.mjs"], {
    env: {
      ...process.env,
      NO_ENV_FILE: "1",
      DATA_DIR: dataDir,
      EXCHANGE_SPEED: String(speed),
      EXCHANGE_SKIP_CLOSED: "1",
      DEMO: "0",
      ...settings,
    },
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let hasEnded = false;
  launcher.once("exit", () => (hasEnded = true));
  const runFile = path.join(dataDir, "run.json");
  const stop = async () => {
    if (!hasEnded) launcher.kill("SIGTERM");
    await until(() => hasEnded, STOP_TIMEOUT_MS, "Stopping the stack");
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await until(() => hasEnded || existsSync(runFile), START_TIMEOUT_MS, "Starting the stack");
    if (hasEnded) throw new Error(`the stack ended at its start:\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    run: runFileIn.parse(JSON.parse(readFileSync(runFile, "utf8"))),
    logFile,
    kill(name) {
      const children = childrenIn.parse(JSON.parse(readFileSync(path.join(dataDir, "children.json"), "utf8")));
      const child = children.find((one) => one.name === name);
      if (child === undefined) throw new Error(`${name} does not run`);
      process.kill(-child.group, "SIGKILL");
    },
    stop,
  };
}
