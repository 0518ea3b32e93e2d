import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { programArgs } from "../bundled.ts";

const READY_WITHIN_MS = 120_000;
const TAIL_LINES = 30;

export interface RehearsalWorker {
  setOffset(ms: number): void;
  /** The process stands still meanwhile: it sees no moment at which other clocks were set and its own was not. */
  whileStill(work: () => void): void;
  /** Lines of its log that name an event. */
  linesOf(event: string): string[];
  /** The last lines of its log that say more than that a job ended. */
  tail(): string[];
  /** As a power cut would. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** The worker as it is started in production, with the rehearsal's clock. Resolves when it has recovered and is ready. */
export async function startRehearsalWorker(offsetMs: number): Promise<RehearsalWorker> {
  const program = await programArgs("workers/main.ts", "lib/proof/rehearsal/worker-clock.ts");
  const child = spawn(process.execPath, program, {
    env: { ...process.env, REHEARSAL_OFFSET_MS: String(offsetMs), EXCHANGE_URL: "", LOG_LEVEL: "debug" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream! }).on("line", (line) => void lines.push(line));
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const tail = () => lines.filter((line) => !line.includes('"event":"job.completed"')).slice(-TAIL_LINES);
  await ready(child, tail);
  return {
    setOffset: (clockOffsetMs) => void child.send({ clockOffsetMs }),
    whileStill(work) {
      child.kill("SIGSTOP");
      work();
      child.kill("SIGCONT");
    },
    linesOf: (event) => lines.filter((line) => line.includes(`"event":"${event}"`)),
    tail,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function ready(child: ChildProcess, tail: () => string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      child.kill("SIGKILL");
      reject(new Error(`the worker ${why}:\n${tail().join("\n")}`));
    };
    const late = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS);
    child.once("message", () => {
      clearTimeout(late);
      resolve();
    });
    child.once("exit", () => fail("ended before it was ready"));
  });
}
