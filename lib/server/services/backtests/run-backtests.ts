import { text } from "@/lib/domain/money.ts";
import { asJson, preferencesOf } from "../../core/json.ts";
import type { Context } from "../../context.ts";
import { sessionOf } from "../../rows.ts";
import { runWaiting } from "../queue/run-waiting.ts";
import { BACKTESTS, claimBacktest, type ClaimedBacktest } from "./claim-backtest.ts";
import { knownCompanies } from "./known-companies.ts";
import { policyOf } from "./policy-of.ts";
import { PAST_HEAP_MB } from "./read-past.ts";
import { readTrials } from "./read-trials.ts";
import type { BacktestOutcome, BacktestTask, ThreadNews } from "./serve-thread.ts";

/** Makes the backtests that wait. */
export const runBacktests = (context: Context, program: string): Promise<void> =>
  runWaiting(context, program, {
    kind: BACKTESTS,
    claim: claimBacktest,
    heapMb: PAST_HEAP_MB,
    what: "The backtest",
    ask: "Choose fewer sessions.",
    taskOf,
    progressOf: (news: ThreadNews) =>
      news.kind === "read" ? { readPercent: news.percent } : { sessionsDone: news.done, sessionsTotal: news.total },
    resultOf: ({ sharpe, figures, record }: BacktestOutcome) => {
      const count = record.days.sessions.length;
      const progress = { sessionsDone: count, sessionsTotal: count, readPercent: 100 };
      return { columns: { sharpe, figures: asJson(figures), record: asJson(record), ...progress }, count };
    },
  });

async function taskOf({ db }: Context, row: ClaimedBacktest): Promise<BacktestTask> {
  const to = sessionOf(row.toDate);
  return {
    market: row.market,
    policy: await policyOf(db, row.policyVersion),
    preferences: preferencesOf(row),
    cash: text(row.cash),
    from: sessionOf(row.fromDate),
    to,
    companies: await knownCompanies({ db }, row.market, to),
    hasRotation: row.hasRotation,
    trials: await readTrials(db, row),
  };
}
