import { runBacktest } from "@/lib/domain/backtest/run-backtest.ts";
import { HISTORY_PREFERENCES, type StrategyHistory, strategyHistory } from "@/lib/domain/backtest/strategy-history.ts";
import { STRATEGY_NAMES, type StrategyName } from "@/lib/domain/enums.ts";
import { serveThread } from "../queue/serve-thread.ts";
import { type Past, readPast } from "./read-past.ts";
import type { ThreadNews } from "./serve-thread.ts";

export interface HistoriesTask extends Past {
  /** USD */
  cash: string;
  hasRotation: boolean;
}

export type HistoriesOutcome = Record<StrategyName, StrategyHistory>;

/** Runs each strategy over the same past with HISTORY_PREFERENCES, all within the thread. */
export const serveHistoriesThread = () => serveThread(foldHistories);

/** The past is read and its features are made once for all. */
async function foldHistories(task: HistoriesTask, post: (news: ThreadNews) => void): Promise<HistoriesOutcome> {
  const { policy, cash, hasRotation } = task;
  const { index, features, first, last } = await readPast(task, post);
  const before = index.history.sessions[index.sessionAt.get(first)! - 1]!;
  const historyOf = (strategy: StrategyName) =>
    strategyHistory(
      runBacktest({
        ...{ index, features, policy, cash, hasRotation },
        preferences: { ...HISTORY_PREFERENCES, strategy },
        // The backtests' own seed: a backtest of these settings gives the same.
        seed: 1,
        from: first,
        to: last,
      }),
      before,
    );
  return Object.fromEntries(STRATEGY_NAMES.map((name) => [name, historyOf(name)])) as HistoriesOutcome;
}
