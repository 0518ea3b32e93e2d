import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { largestFill } from "@/lib/domain/backtest/capacity.ts";
import { type BacktestRecord, recordOf } from "@/lib/domain/backtest/record.ts";
import { SPREAD_MULTIPLES, spreadRunOf } from "@/lib/domain/backtest/spreads.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import { dailyReturns, type Statistic, statisticsOf, type Trials } from "@/lib/domain/statistics/statistics.ts";
import { sharpe } from "@/lib/domain/metrics.ts";
import { serveThread } from "../queue/serve-thread.ts";
import { type Past, type ReadNews, readPast } from "./read-past.ts";

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

export type ThreadNews = ReadNews | { kind: "session"; done: number; total: number };

const REPORT_EVERY_MS = 250;

/** The run's sessions that are done, where the same ones are played `runs` times over: who asked for 64 sees 64. */
export const sessionsDone = (done: number, ofRun: number, runsBefore: number, runs: number): number =>
  Math.floor((runsBefore * ofRun + done) / runs);

/** Reads the history and folds the engine over it, all within the thread: the worker's own loop does neither. */
export const serveBacktestThread = () => serveThread(foldTask);

async function foldTask(task: BacktestTask, post: (news: ThreadNews) => void): Promise<BacktestOutcome> {
  const { policy, preferences, cash, hasRotation, trials } = task;
  const { index, features, facts, first, last } = await readPast(task, post);
  let reportedAt = 0;
  // A repeat at a wider spread costs less than the run: history and features are there.
  const play = (multiple: number, place: number) => {
    const onSession = (done: number, ofRun: number) => {
      if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
      reportedAt = performance.now();
      post({ kind: "session", done: sessionsDone(done, ofRun, place, SPREAD_MULTIPLES.length), total: ofRun });
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
