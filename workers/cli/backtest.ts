/**
 * npm run backtest -- --tape DIR …: folds the engine's decisions over a tape and writes the results. The same file is the
 * worker thread of a sweep.
 */
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { backtest } from "@/lib/backtest/main.ts";
import { showProgress } from "@/lib/progress.ts";
import { serveThread } from "@/lib/backtest/thread.ts";

if (isMainThread) {
  process.exitCode = await backtest(process.argv.slice(2), {
    registry: path.join(process.env.DATA_DIR || ".data", "backtests"),
    program: import.meta.url,
    say: (line) => console.log(line),
    complain: (said) => console.error(said),
    progress: showProgress,
  });
} else serveThread();
