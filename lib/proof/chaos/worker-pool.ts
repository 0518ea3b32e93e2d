import { fork, type ChildProcess } from "node:child_process";
import type { Task, WorkerMessage } from "./worker.ts";

const TAIL_LINES = 60;

/** A worker at its task. */
export interface Run {
  /** Everything that it said, in order. */
  messages: WorkerMessage[];
  /** The end of its log. */
  tail: string[];
  /** The signal that ended it, or null when it came to the end of its task. */
  over: Promise<NodeJS.Signals | null>;
  kill(signal: NodeJS.Signals): void;
}

export interface WorkerPool {
  run(task: Task): Promise<Run>;
  close(): void;
}

interface Worker {
  child: ChildProcess;
  tail: string[];
  /** Who listens to what it says. */
  listen: ((message: WorkerMessage) => void) | null;
  ended: Promise<NodeJS.Signals | null>;
}

/** Starts a process, which is in `running` until it ends; resolves when it is ready for a task. */
function startWorker(program: string[], env: NodeJS.ProcessEnv, running: Set<ChildProcess>): Promise<Worker> {
  const script = program.at(-1) ?? "";
  const child = fork(script, [], {
    execArgv: program.slice(0, -1),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  running.add(child);
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      tail.push(...chunk.toString("utf8").split("\n").filter(Boolean));
      tail.splice(0, Math.max(0, tail.length - TAIL_LINES));
    });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => {
    child.on("error", () => resolve(null));
    child.on("exit", (_, signal) => {
      running.delete(child);
      resolve(signal);
    });
  });
  const worker: Worker = { child, tail, listen: null, ended };
  return new Promise((resolve, reject) => {
    child.on("message", (message: WorkerMessage) => {
      if (message.kind === "ready") resolve(worker);
      else worker.listen?.(message);
    });
    void ended.then(() => reject(new Error(`a worker ended at its start:\n${tail.join("\n")}`)));
  });
}

/**
 * Processes that wait for their task: a start costs a second of work that no episode waits for. One that came to the
 * end of its task moves on to the next, as a worker does; one that had a crash point before it is released.
 */
export function openWorkerPool(program: string[], size: number, env: NodeJS.ProcessEnv): WorkerPool {
  const running = new Set<ChildProcess>();
  const waiting: Promise<Worker>[] = [];
  let isClosed = false;

  const start = () => startWorker(program, env, running);

  function fill(): void {
    while (!isClosed && waiting.length < size) {
      const starting = start();
      // Passed to the worker that takes it.
      starting.catch(() => undefined);
      waiting.push(starting);
    }
  }
  fill();

  async function take(): Promise<Worker> {
    for (;;) {
      const next = waiting.shift() ?? start();
      fill();
      const worker = await next;
      if (worker.child.exitCode === null && worker.child.signalCode === null) return worker;
    }
  }

  return {
    async run(task) {
      const worker = await take();
      const messages: WorkerMessage[] = [];
      const tail: string[] = [];
      let wasTouched = false;
      const finished = new Promise<null>((resolve) => {
        worker.listen = (message) => {
          messages.push(message);
          if (message.kind === "done" || message.kind === "gave_up" || message.kind === "failed") resolve(null);
        };
      });
      const over = Promise.race([worker.ended, finished]).then((signal) => {
        tail.push(...worker.tail.splice(0));
        worker.listen = null;
        const isUsable =
          signal === null && task.crashAt === null && !wasTouched && !isClosed && waiting.length < 2 * size;
        if (isUsable) waiting.unshift(Promise.resolve(worker));
        else worker.child.kill("SIGKILL");
        return signal;
      });
      worker.child.send(task, () => undefined);
      return {
        messages,
        tail,
        over,
        kill(signal) {
          // The signal may arrive after the end of the task: such a worker takes no other.
          wasTouched = true;
          worker.child.kill(signal);
        },
      };
    },
    close() {
      isClosed = true;
      for (const child of running) child.kill("SIGKILL");
    },
  };
}
