import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob } from "@/lib/server/jobs/define-job.ts";
import { runBacktests } from "@/lib/server/services/backtests/run-backtests.ts";

/** Beside the worker's own file, as source and as built. */
const program = import.meta.url.replace(/[^/]+(\.m?[jt]s)$/, "threads/backtest$1");

export const backtestRun = defineJob(jobs.backtestRun, (context) => runBacktests(context, program));
