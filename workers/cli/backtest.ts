/**
 * npm run backtest -- --tape DIR …: folds the engine's decisions over a tape and writes the report. The same file is the
 * worker thread of a sweep.
 */
import path from "node:path";
import { isMainThread } from "node:worker_threads";
import { Failure } from "@/lib/domain/failures.ts";
import { HELP, readOptions } from "./backtest/options.ts";
import { showProgress } from "./backtest/progress.ts";
import { runCommand } from "./backtest/run-command.ts";
import { serveThread } from "./backtest/thread.ts";

async function main(): Promise<void> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options === null) return void console.log(HELP);
    const registry = path.join(process.env.DATA_DIR || ".data", "backtests");
    const say = (line: string) => console.log(line);
    await runCommand(options, { registry, program: import.meta.url, say, progress: showProgress });
  } catch (error) {
    console.error(error instanceof Failure ? error.message : error);
    process.exitCode = error instanceof Failure && error.code === "invalid_input" ? 2 : 1;
  }
}

if (isMainThread) await main();
else serveThread();
