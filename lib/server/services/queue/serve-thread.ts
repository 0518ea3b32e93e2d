import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { Failure } from "@/lib/domain/failures.ts";
import type { ThreadEnd } from "./run-thread.ts";

/** The body of a thread that the worker started with a task: its news go to the worker as they come, and then how it ended. */
export async function serveThread<Task, News extends { kind: string }, Outcome>(
  fold: (task: Task, post: (news: News) => void) => Promise<Outcome>,
): Promise<void> {
  const post = (news: News | ThreadEnd<Outcome>) => parentPort?.postMessage(news);
  // Trading goes first where cores are few. Elsewhere than on Linux this would slow the whole worker.
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    post({ kind: "done", outcome: await fold(workerData as Task, post) });
  } catch (error) {
    const message = error instanceof Failure ? error.message : null;
    post({ kind: "failed", message, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}
