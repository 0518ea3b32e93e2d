import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { largestFill } from "@/lib/domain/backtest/capacity.ts";
import { prepareFeatures } from "@/lib/domain/backtest/features.ts";
import { type BacktestRecord, recordOf } from "@/lib/domain/backtest/record.ts";
import { SPREAD_MULTIPLES, spreadRunOf } from "@/lib/domain/backtest/spreads.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { dailyReturns, type Statistic, statisticsOf, type Trials } from "@/lib/domain/statistics/statistics.ts";
import { Failure } from "@/lib/domain/failures.ts";
import { sharpe } from "@/lib/domain/metrics.ts";
import type { ThreadEnd } from "../queue/run-thread.ts";
import { type Past, readPast } from "./read-past.ts";

export interface BacktestTask extends Past {
  preferences: PreferencesView;
  /** USD */
  cash: string;
  /** The biweekly rotation traded live when the run was asked for. */
  hasRotation: boolean;
  /** Earlier runs that this one is judged beside. */
  trials: Trials;
}

export interface BacktestOutcome {
  sharpe: number | null;
  figures: Statistic[];
  record: BacktestRecord;
}

export type ThreadNews =
  /** Of the market's history, before the first session. */
  { kind: "read"; percent: number } | { kind: "session"; done: number; total: number } | ThreadEnd<BacktestOutcome>;

const REPORT_EVERY_MS = 250;

/** Reads the history and folds the engine over it, all within the thread: the worker's own loop does neither. */
export async function serveBacktestThread(): Promise<void> {
  const post = (news: ThreadNews) => parentPort?.postMessage(news);
  // Trading goes first where cores are few. Elsewhere than on Linux this would slow the whole worker.
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    post({ kind: "done", outcome: await foldTask(workerData as BacktestTask, post) });
  } catch (error) {
    const message = error instanceof Failure ? error.message : null;
    post({ kind: "failed", message, cause: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

async function foldTask(task: BacktestTask, post: (news: ThreadNews) => void): Promise<BacktestOutcome> {
  const { policy, preferences, cash, hasRotation, trials } = task;
  const onRead = (done: number, total: number) => post({ kind: "read", percent: Math.floor((100 * done) / total) });
  const { index, facts, first, last } = await readPast(task, onRead);
  const features = prepareFeatures(index, index.sessionAt.get(first)! - 1, index.sessionAt.get(last)! - 1);
  let reportedAt = 0;
  // A repeat at a wider spread costs less than the run: history and features are there.
  const play = (multiple: number, place: number) => {
    const onSession = (done: number, ofRun: number) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      post({ kind: "session", done: place * ofRun + done, total: SPREAD_MULTIPLES.length * ofRun });
    };
    return runBacktest({
      ...{ index, features, policy, spreadMultiple: multiple, preferences, cash, hasRotation, onSession },
      // The command's own default: the same run gives the same fills in both.
      seed: 1,
      from: first,
      to: last,
    });
  };
  const result = play(1, 0);
  const spreads = SPREAD_MULTIPLES.map((multiple, place) =>
    spreadRunOf(place === 0 ? result : play(multiple, place), policy, multiple),
  );
  const own = sharpe(dailyReturns(result));
  const all: Trials = { count: trials.count + 1, sharpes: own === null ? trials.sharpes : [...trials.sharpes, own] };
  const largest = largestFill(result, index, features);
  const record = { ...recordOf(result), spreads, largest, ...(facts === null ? {} : { facts }) };
  return { sharpe: own, figures: statisticsOf(result, all), record };
}
