import { parentPort, workerData } from "node:worker_threads";
import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { prepareFeatures } from "@/lib/domain/backtest/features.ts";
import type { BacktestResult } from "@/lib/domain/backtest/result.ts";
import type { PreferencesView } from "@/lib/domain/preferences.ts";
import type { Policy } from "@/lib/domain/policy.ts";
import type { SessionDate } from "@/lib/domain/time.ts";
import { readHistory } from "./read-history.ts";

/** What every thread of a sweep is given once. */
export interface ThreadData {
  tape: string;
  seed: number;
  preferences: PreferencesView;
  isWithoutEarnings: boolean;
  hasRotation: boolean;
  /** The widest window of the sweep. */
  from: SessionDate;
  to: SessionDate;
}

export interface ThreadRun {
  policy: Policy;
  cash: string;
  from: SessionDate;
  to: SessionDate;
}

export type ThreadAnswer = { ok: true; result: BacktestResult } | { ok: false; message: string };

/** The part of the command that runs inside a worker thread: features once, then one run per message. */
export function serveThread(): void {
  const { tape, seed, preferences, isWithoutEarnings, hasRotation, from, to } = workerData as ThreadData;
  const index = readHistory(tape, seed);
  const at = (date: SessionDate) => index.sessionAt.get(date) ?? 0;
  const features = prepareFeatures(index, at(from) - 1, at(to) - 1);
  parentPort?.on("message", (run: ThreadRun) => {
    let answer: ThreadAnswer;
    try {
      answer = {
        ok: true,
        result: runBacktest({ index, features, preferences, seed, isWithoutEarnings, hasRotation, ...run }),
      };
    } catch (error) {
      answer = { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
    parentPort?.postMessage(answer);
  });
}
