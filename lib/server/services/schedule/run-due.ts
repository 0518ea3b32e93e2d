import type { Cadence, Job } from "@/lib/contracts/job.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import { type MarketName, MARKETS } from "@/lib/domain/enums.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { logRarely } from "../../log-rarely.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { activePolicy } from "../../core/active-policy.ts";
import { cutPages } from "../../jobs/pages.ts";
import { marketMoment, type MarketMoment } from "../../core/calendar.ts";
import { nextAfterClose, nextMarketDue } from "./next-due.ts";
import { isQueueActive } from "./is-queue-active.ts";
import { scheduleKey } from "./schedule-keys.ts";
import { takeDaily, takeForAccounts, takeForAll, takeForMarket, takeUnfinished } from "./take-due.ts";

const DEFAULT_CHECK_MINUTES = 5;

const JOBS: readonly Job[] = Object.values(jobs);
/** Jobs of accounts that are looked at in pages first: the page wakes the accounts' own ones. */
const PAGES = new Map<Job, typeof jobs.orderStatusPage>([
  [jobs.orderStatus, jobs.orderStatusPage],
  [jobs.invariants, jobs.invariantsPage],
]);

/** A part of the schedule. Its rounds follow each other; they wait for no other part. */
interface ScheduleRounds {
  name: string;
  round: () => Promise<void>;
}

/**
 * In a round whatever is due is moved to its next time by compare-and-set, so of many workers one wakes it, and then handed to the
 * queue. Postgres holds the truth: work of a market that a flushed queue lost is woken again. What waits for wall time is a part of its
 * own, as is each market: a look at a market waits neither for the thousands of accounts that are woken meanwhile nor for the other
 * market, and a clock that hangs holds up nothing but its market.
 */
export function scheduleRounds(context: Context): ScheduleRounds[] {
  const part = (name: string, run: () => Promise<void>): ScheduleRounds => ({
    name,
    round: async () => {
      if (await isQueueActive(context)) await run();
    },
  });
  const markets = MARKETS.filter((market) => hasMarket(market));
  return [
    part("schedule", () => runWallSchedules(context)),
    ...markets.map((market) => part(`schedule of ${market}`, () => runMarket(context, market))),
  ];
}

async function runMarket(context: Context, market: MarketName): Promise<void> {
  try {
    await runMarketSchedules(context, market, await marketMoment(context, market));
  } catch (error) {
    logRarely(context.log, "warn", "market-clock.read-failed", { market, err: error }, market);
  }
}

async function runWallSchedules(context: Context): Promise<void> {
  for (const job of JOBS) await runWallSchedule(context, job);
}

async function runWallSchedule(context: Context, job: Job): Promise<void> {
  const { queue } = context;
  const { cadence } = job;
  if (cadence?.of === "all" && (await takeForAll(context, job, cadence.everyMs))) await queue.enqueue(job, {});
  if (cadence?.of === "daily" && (await takeDaily(context, job, cadence))) await queue.enqueue(job, {});
  if (cadence?.of !== "accounts") return;
  const accountIds = await takeForAccounts(context, job, cadence.everyMs);
  if (accountIds.length === 0) return;
  const pageJob = PAGES.get(job);
  if (pageJob !== undefined) {
    const pages = await cutPages(
      context.db,
      accountIds.sort().map((id) => ({ id })),
    );
    return queue.enqueue(
      pageJob,
      pages.map(({ range }) => range),
    );
  }
  await queue.enqueue(
    job,
    accountIds.map((accountId) => ({ accountId })),
  );
}

async function runMarketSchedules(context: Context, market: MarketName, moment: MarketMoment): Promise<void> {
  const now = new Date(moment.now);
  const policy = await activePolicy(context);
  const rhythm = {
    checkMs: (await minutesBetweenChecks(context, market)) * MINUTE_MS,
    closedMinutes: policy.pretrade_filters.open_minutes,
  };
  for (const job of JOBS) {
    const turn = turnOf(job.cadence, moment, rhythm);
    if (turn === null) continue;
    const { everyMs, next } = turn;
    const isDue = next !== null && (await takeForMarket(context, { job, market, now, next, everyMs }));
    if (isDue || (await takeUnfinished(context, scheduleKey(job.name, market))))
      await context.queue.enqueue(job, { market });
  }
}

/** Null for work that no market is waited for. */
function turnOf(
  cadence: Cadence | undefined,
  { now, calendar }: MarketMoment,
  { checkMs, closedMinutes }: { checkMs: number; closedMinutes: number },
): { everyMs: number; next: Date | null } | null {
  if (cadence?.of === "close") return { everyMs: DAY_MS, next: nextAfterClose(now, cadence.afterMs, calendar) };
  if (cadence?.of !== "session") return null;
  const { after } = cadence;
  const everyMs = cadence.everyMs === "checks" ? checkMs : cadence.everyMs;
  const delayMs = (after.minutes + (after.from === "entries" ? closedMinutes : 0)) * MINUTE_MS;
  return { everyMs, next: nextMarketDue(now, everyMs, delayMs, calendar) };
}

/** The longest time that divides everybody's Check Interval: each of them is one of whole looks at the market. */
async function minutesBetweenChecks({ db }: Context, market: MarketName): Promise<number> {
  const intervals = await db.tradingPreferences.findMany({
    where: { user: { accounts: { some: { market, deletedAt: null, status: { not: "INACTIVE" } } } } },
    distinct: ["checkInterval"],
    select: { checkInterval: true },
  });
  return intervals.reduce((divisor, row) => commonDivisor(divisor, row.checkInterval), 0) || DEFAULT_CHECK_MINUTES;
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
