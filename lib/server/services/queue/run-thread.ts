import type { Worker } from "node:worker_threads";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";

/** A run sends a heartbeat each second; one that was silent this long has lost its worker. Wall time. */
export const SILENT_MS = 15_000;
/** How often progress is written, and how soon a cancelled run ends. */
const BEAT_MS = 1_000;
const LONGEST_MS = 20 * MINUTE_MS;

/** Set while the worker stops; runs then go back into the queue. */
let isReleasing = false;
const running = new Set<() => void>();

/** For a worker that stops: what runs waits again, for the next worker, instead of holding this one up. */
export function releaseThreads(): void {
  isReleasing = true;
  for (const release of running) release();
}

export const areThreadsReleased = (): boolean => isReleasing;

/** How a thread ends. */
export type ThreadEnd<Outcome> =
  | { kind: "done"; outcome: Outcome }
  /** `message` is for a user; null for an unexpected error. */
  | { kind: "failed"; message: string | null; cause: string };

export type End<Outcome> =
  | { kind: "done"; outcome: Outcome }
  | { kind: "failed"; message: string }
  /** Cancelled, deleted, or begun again by another worker. */
  | { kind: "lost" }
  | { kind: "released" };

interface Play<News, Progress> {
  /** The run's id, for the log. */
  id: string;
  thread: Worker;
  /** "The backtest", and what to do where it is too much. */
  what: string;
  ask: string;
  /** What of the row a piece of news changes. */
  progressOf: (news: News) => Progress;
  /** Writes a heartbeat with the progress; false when the run is no longer this worker's. */
  beat: (progress: Progress | null) => Promise<boolean>;
}

/** Follows a thread of the worker to its end: progress each second, cancelled and hanging ones ended, a lost one released. */
export function runThread<News extends { kind: string }, Progress, Outcome>(
  { log }: Pick<Context, "log">,
  { id, thread, what, ask, progressOf, beat }: Play<News, Progress>,
): Promise<End<Outcome>> {
  const unforeseen = `${what} was aborted by an unexpected error. The log of the worker names it.`;
  return new Promise((resolve) => {
    let progress: Progress | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    const finish = (end: End<Outcome>) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      clearTimeout(late);
      running.delete(release);
      // Only when the thread is gone does its memory belong to the next one.
      void thread.terminate().then(() => resolve(end));
    };
    const fail = (message: string) => finish({ kind: "failed", message });
    const release = () => finish({ kind: "released" });
    const late = setTimeout(
      () => fail(`${what} took longer than ${LONGEST_MS / MINUTE_MS} minutes. ${ask}`),
      LONGEST_MS,
    );
    running.add(release);
    if (isReleasing) release();

    const pulse = async () => {
      try {
        if (!(await beat(progress))) return finish({ kind: "lost" });
      } catch (error) {
        // The database will be available again; a run that was taken over meanwhile is noticed then.
        log.warn("run.progress-failed", { jobId: id, err: error });
      }
      if (!isOver) timer = setTimeout(() => void pulse(), BEAT_MS);
    };
    timer = setTimeout(() => void pulse(), BEAT_MS);

    thread.on("message", (news: News | ThreadEnd<Outcome>) => {
      if (isEnd<Outcome>(news)) {
        if (news.kind === "done") return finish(news);
        if (news.message === null) log.error("run.aborted", { jobId: id, err: news.cause });
        fail(news.message ?? unforeseen);
      } else progress = progressOf(news);
    });
    thread.on("error", (error: NodeJS.ErrnoException) => {
      log.error("run.thread-failed", { jobId: id, err: error });
      const isTooLarge = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      fail(isTooLarge ? `${what} needs more memory than there is. ${ask}` : unforeseen);
    });
    thread.on("exit", () => fail(unforeseen));
  });
}

function isEnd<Outcome>(news: { kind: string }): news is ThreadEnd<Outcome> {
  return news.kind === "done" || news.kind === "failed";
}
