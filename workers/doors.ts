import { jobs } from "@/lib/contracts/jobs.ts";
import { defineJob, type JobDoor } from "@/lib/server/jobs/define-job.ts";
import { runBacktests } from "@/lib/server/services/backtests/run-backtests.ts";
import { runGrids } from "@/lib/server/services/backtests/run-grids.ts";
import { runPreviews } from "@/lib/server/services/backtests/run-previews.ts";
import { runStrategyHistories } from "@/lib/server/services/backtests/run-strategy-histories.ts";
import { sendDueDeliveries } from "@/lib/server/services/channels/send-due-deliveries.ts";
import { runAccountCycle } from "@/lib/server/services/cycles/run-account-cycle.ts";
import { runAccountPage } from "@/lib/server/services/cycles/run-account-page.ts";
import { purgeDecisions } from "@/lib/server/services/cycles/purge-decisions.ts";
import { releasePartitions } from "@/lib/server/services/cycles/release-partitions.ts";
import { runScreening } from "@/lib/server/services/cycles/run-screening.ts";
import { loadHistory } from "@/lib/server/services/cycles/load-history.ts";
import { recordEquity } from "@/lib/server/services/equity/record-equity.ts";
import { writeInsightTexts } from "@/lib/server/services/insight/write-insight-texts.ts";
import { checkAccount } from "@/lib/server/services/invariants/check-account.ts";
import { checkAccountPage } from "@/lib/server/services/invariants/check-account-page.ts";
import { checkSystem } from "@/lib/server/services/invariants/check-system.ts";
import { sendDueMails } from "@/lib/server/services/mail/send-due-mails.ts";
import { writeWeeklySummaries } from "@/lib/server/services/notifications/write-weekly-summaries.ts";
import { purgeOld } from "@/lib/server/services/notifications/purge-old.ts";
import { reconcileSessions } from "@/lib/server/services/sync/reconcile-sessions.ts";
import { syncOrderPage } from "@/lib/server/services/accounts/sync-order-page.ts";
import { syncOrders } from "@/lib/server/services/accounts/sync-orders.ts";
import { runWhatIfs } from "@/lib/server/services/policy/run-what-ifs.ts";
import { checkProviders } from "@/lib/server/services/providers/check-providers.ts";
import { refreshCompanies } from "@/lib/server/services/providers/refresh-companies.ts";
import { purgeCalls } from "@/lib/server/services/providers/purge-calls.ts";
import { followRotations } from "@/lib/server/services/rotation/follow-rotations.ts";
import { planRotations } from "@/lib/server/services/rotation/plan-rotation.ts";
import { sendRotationLegs } from "@/lib/server/services/rotation/send-legs.ts";
import { keepPartitions } from "@/lib/server/services/system/keep-partitions.ts";

/** A program beside the worker's own file, as source and as built. */
const thread = (name: string) => import.meta.url.replace(/[^/]+(\.m?[jt]s)$/, `threads/${name}$1`);

/** Each job's door to its service. A job that is declared and has no door here does not compile. */
export const doors = {
  orderStatus: defineJob(jobs.orderStatus, syncOrders),
  orderStatusPage: defineJob(jobs.orderStatusPage, syncOrderPage),
  screening: defineJob(jobs.screening, runScreening),
  accountPage: defineJob(jobs.accountPage, runAccountPage),
  accountCycle: defineJob(jobs.accountCycle, runAccountCycle),
  equity: defineJob(jobs.equity, recordEquity),
  nightly: defineJob(jobs.nightly, reconcileSessions),
  rotationPlan: defineJob(jobs.rotationPlan, planRotations),
  rotationExecution: defineJob(jobs.rotationExecution, followRotations),
  rotationAccount: defineJob(jobs.rotationAccount, sendRotationLegs),
  mail: defineJob(jobs.mail, sendDueMails),
  deliveries: defineJob(jobs.deliveries, (context) => sendDueDeliveries(context)),
  weeklySummary: defineJob(jobs.weeklySummary, writeWeeklySummaries),
  backtestRun: defineJob(jobs.backtestRun, (context) => runBacktests(context, thread("backtest"))),
  backtestGrid: defineJob(jobs.backtestGrid, (context) => runGrids(context, thread("backtest-grid"))),
  settingsPreview: defineJob(jobs.settingsPreview, (context) => runPreviews(context, thread("settings-preview"))),
  strategyHistory: defineJob(jobs.strategyHistory, (context) =>
    runStrategyHistories(context, thread("strategy-history")),
  ),
  whatIf: defineJob(jobs.whatIf, (context) => runWhatIfs(context, thread("what-if"))),
  insightTexts: defineJob(jobs.insightTexts, (context) => writeInsightTexts(context)),
  partitions: defineJob(jobs.partitions, (context) => keepPartitions(context)),
  purge: defineJob(jobs.purge, async (context) => {
    await purgeOld(context);
    await purgeCalls(context);
    await purgeDecisions(context);
    await releasePartitions(context);
  }),
  providerCheck: defineJob(jobs.providerCheck, (context) => checkProviders(context)),
  barHistory: defineJob(jobs.barHistory, (context) => loadHistory(context)),
  companies: defineJob(jobs.companies, (context) => refreshCompanies(context)),
  invariants: defineJob(jobs.invariants, checkAccount),
  invariantsPage: defineJob(jobs.invariantsPage, checkAccountPage),
  systemInvariants: defineJob(jobs.systemInvariants, checkSystem),
} satisfies Record<keyof typeof jobs, JobDoor>;
