import { jobs } from "@/lib/contracts/jobs.ts";
import { type MarketName, MARKETS } from "@/lib/domain/enums.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { logRarely } from "../../log-rarely.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { marketMoment, type MarketMoment } from "../../core/calendar.ts";
import { nextAfterClose, nextMarketDue } from "./next-due.ts";
import { isQueueActive } from "./is-queue-active.ts";
import { scheduleKey } from "./schedule-keys.ts";
import { takeDaily, takeForAccounts, takeForAll, takeForMarket, takeUnfinished } from "./take-due.ts";

/** A point of equity each quarter of an hour of market time, beside the closing points. */
const EQUITY_EVERY_MS = 15 * MINUTE_MS;
/** The statement of a session waits this long for the last executions and the broker's own books. */
const AFTER_CLOSE_MS = 5 * MINUTE_MS;
/** A rotation falls due once in many sessions; a look that came before the first screening is followed by another one. */
const ROTATION_EVERY_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DEFAULT_CHECK_MINUTES = 5;

/** Once for all accounts, in wall time. */
const TURNS_OF_ALL = [
  { job: jobs.mail, everyMs: 2_000 },
  { job: jobs.systemInvariants, everyMs: 60_000 },
  // Most hours have no week's end before them, and then there is nothing to do.
  { job: jobs.weeklySummary, everyMs: 60 * MINUTE_MS },
  // Those that the queue lost, and those whose worker is gone.
  { job: jobs.backtestRun, everyMs: 5_000 },
  { job: jobs.whatIf, everyMs: 5_000 },
  { job: jobs.purge, everyMs: DAY_MS },
  { job: jobs.companies, everyMs: 5 * MINUTE_MS },
  // A worker that died in the middle of a rotation is followed by the next one's look.
  { job: jobs.rotationExecution, everyMs: 2_000 },
];
/** Once a day, at a time of the wall clock in UTC. */
const TURNS_OF_DAY = [{ job: jobs.providerCheck, at: { hour: 13, minute: 30 } }];
/** Once for each account with keys, in wall time. */
const TURNS_OF_ACCOUNTS = [
  // Beside the stream: the broker's limit counts market minutes.
  { job: jobs.orderStatus, everyMs: 5_000 },
  { job: jobs.invariants, everyMs: 60_000 },
];

/**
 * One round of the schedule: whatever is due is moved to its next time by compare-and-set, so of many
 * workers one wakes it, and then handed to the queue. Postgres holds the truth: work of a market that a
 * flushed queue lost is woken again.
 */
export async function runDueSchedules(context: Context): Promise<void> {
  const { queue } = context;
  if (!(await isQueueActive(context))) return;
  for (const { job, everyMs } of TURNS_OF_ALL)
    if (await takeForAll(context, job, everyMs)) await queue.enqueue(job, {});
  for (const { job, at } of TURNS_OF_DAY) if (await takeDaily(context, job, at)) await queue.enqueue(job, {});
  for (const { job, everyMs } of TURNS_OF_ACCOUNTS)
    for (const accountId of await takeForAccounts(context, job, everyMs)) await queue.enqueue(job, { accountId });
  for (const market of MARKETS) {
    if (!hasMarket(market)) continue;
    try {
      await runMarketSchedules(context, market, await marketMoment(context, market));
    } catch (error) {
      logRarely(context.log, "warn", "market-clock.read-failed", { market, err: error }, market);
    }
  }
}

async function runMarketSchedules(context: Context, market: MarketName, moment: MarketMoment): Promise<void> {
  const now = new Date(moment.now);
  const policy = await activePolicy(context);
  const openDelayMs = policy.pretrade_filters.open_minutes * MINUTE_MS;
  const checkMs = (await shortestCheckMinutes(context, market)) * MINUTE_MS;
  const { calendar } = moment;
  const turns = [
    { job: jobs.screening, everyMs: checkMs, next: nextMarketDue(moment.now, checkMs, openDelayMs, calendar) },
    {
      job: jobs.equity,
      everyMs: EQUITY_EVERY_MS,
      next: nextMarketDue(moment.now, EQUITY_EVERY_MS, MINUTE_MS, calendar),
    },
    {
      job: jobs.rotationPlan,
      everyMs: ROTATION_EVERY_MS,
      next: nextMarketDue(moment.now, ROTATION_EVERY_MS, openDelayMs + MINUTE_MS, calendar),
    },
    { job: jobs.nightly, everyMs: DAY_MS, next: nextAfterClose(moment.now, AFTER_CLOSE_MS, calendar) },
  ];
  for (const { job, everyMs, next } of turns) {
    const key = scheduleKey(job.name, market);
    const isDue = next !== null && (await takeForMarket(context, { job, market, now, next, everyMs }));
    if (isDue || (await takeUnfinished(context, key))) await context.queue.enqueue(job, { market });
  }
}

async function shortestCheckMinutes({ db }: Context, market: MarketName): Promise<number> {
  const shortest = await db.tradingPreferences.aggregate({
    where: { user: { accounts: { some: { market, deletedAt: null, status: { not: "INACTIVE" } } } } },
    _min: { checkInterval: true },
  });
  return shortest._min.checkInterval ?? DEFAULT_CHECK_MINUTES;
}
