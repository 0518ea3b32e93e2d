import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { prepareFeatures } from "@/lib/domain/backtest/features.ts";
import { type PreviewFigures, previewFigures } from "@/lib/domain/backtest/preview.ts";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { Failure } from "@/lib/domain/failures.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import type { ThreadEnd } from "../queue/run-thread.ts";
import { type Past, readPast } from "./read-past.ts";
import type { ThreadNews } from "./serve-thread.ts";

export interface PreviewTask extends Past {
  draft: PreferencesView;
  /** Null where they are the ones that are tried. */
  saved: PreferencesView | null;
  /** USD */
  cash: string;
  hasRotation: boolean;
}

export interface PreviewOutcome {
  draft: PreviewFigures;
  saved: PreviewFigures | null;
}

export type PreviewNews = Exclude<ThreadNews, ThreadEnd<unknown>> | ThreadEnd<PreviewOutcome>;

/** Tries settings on a market's past, all within the thread, as a backtest is figured. */
export async function servePreviewThread(): Promise<void> {
  const post = (news: PreviewNews) => parentPort?.postMessage(news);
  // Trading goes first where cores are few. Elsewhere than on Linux this would slow the whole worker.
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    post({ kind: "done", outcome: await foldPreview(workerData as PreviewTask, post) });
  } catch (error) {
    const message = error instanceof Failure ? error.message : null;
    post({ kind: "failed", message, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

/** The history is read and its features are made once for both. */
async function foldPreview(task: PreviewTask, post: (news: PreviewNews) => void): Promise<PreviewOutcome> {
  const { policy, draft, saved, cash, hasRotation } = task;
  const onRead = (done: number, total: number) => post({ kind: "read", percent: Math.floor((100 * done) / total) });
  const { index, first, last } = await readPast(task, onRead);
  const features = prepareFeatures(index, index.sessionAt.get(first)! - 1, index.sessionAt.get(last)! - 1);
  const runs = saved === null ? 1 : 2;
  // The backtests' own seed: settings that are tried give what a backtest of them gives.
  const figuresOf = (preferences: PreferencesView, before: number) =>
    previewFigures(
      runBacktest({
        index,
        features,
        policy,
        preferences,
        cash,
        seed: 1,
        from: first,
        to: last,
        hasRotation,
        onSession: (done, total) => post({ kind: "session", done: before * total + done, total: runs * total }),
      }),
    );
  return { draft: figuresOf(draft, 0), saved: saved === null ? null : figuresOf(saved, 1) };
}
