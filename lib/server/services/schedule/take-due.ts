import type { Job } from "@/lib/contracts/job.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { MarketName } from "@/lib/domain/enums.ts";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time.ts";
import { latestOf } from "@/lib/domain/wall-clock.ts";
import type { Context } from "../../context.ts";
import type { PageRange } from "../../jobs/pages.ts";
import { missedIntervals, nextDailyDue } from "./next-due.ts";
import { scheduleKey } from "./schedule-keys.ts";

/**
 * Moves due rows of the schedule on. Each statement is a compare-and-set: of callers at the same moment one
 * gets the row, and the work is its to wake. Rows are made where they are missing, and are due an interval later.
 * A row that waits for a time which the clock has left (restored data, another cadence) is put right and not run: workers whose
 * clocks differ would take it from each other again and again.
 */

/** Of many workers one wakes a lost run, and not before it had this long. Wall time. */
const WAKE_AGAIN_MS = 15_000;
/** A night is no missed pass: only intervals inside a session count. */
const SESSION_MS = 6 * 60 * MINUTE_MS;

/** True when the job's one row was due. `everyMs` is wall time. */
export function takeForAll(context: Context, job: Job, everyMs: number): Promise<boolean> {
  return takeUntil(context, { job, everyMs, next: new Date(context.now().getTime() + everyMs) });
}

/** The same for a job that runs once a day at a time of the wall clock, in UTC. */
export function takeDaily(context: Context, job: Job, at: { hour: number; minute: number }): Promise<boolean> {
  return takeUntil(context, { job, everyMs: DAY_MS, next: nextDailyDue(context.now(), at) });
}

async function takeUntil(
  { db, now }: Context,
  { job, everyMs, next }: { job: Job; everyMs: number; next: Date },
): Promise<boolean> {
  const key = scheduleKey(job.name, "all");
  const at = now();
  const moved = await db.schedule.updateMany({
    where: { key, dueAt: { lte: at } },
    data: { dueAt: next, everyMs, lastStartedAt: at, runs: { increment: 1 } },
  });
  if (moved.count > 0) return true;
  await db.$executeRaw`
    insert into "Schedule" as s ("key", "job", "dueAt", "everyMs")
    values (${key}, ${job.name}, ${next}::timestamptz, ${everyMs}::int)
    on conflict ("key") do update set "dueAt" = excluded."dueAt", "everyMs" = excluded."everyMs"
    where s."dueAt" > ${beyond(at, everyMs)}::timestamptz`;
  return false;
}

/** The accounts with keys whose row was due. `everyMs` is wall time. Deleted ones that kept their keys are followed, and nothing else. */
export async function takeForAccounts({ db, now }: Context, job: Job, everyMs: number): Promise<string[]> {
  const at = now();
  const next = new Date(at.getTime() + everyMs);
  const { name } = job;
  await db.$executeRaw`
    insert into "Schedule" ("key", "job", "accountId", "dueAt", "everyMs")
    select ${name} || ':' || a."id", ${name}, a."id", ${next}::timestamptz, ${everyMs}::int
    from "Account" a
    where (a."deletedAt" is null or ${name} = ${jobs.orderStatus.name}) and a."sealedKeys" is not null
      and not exists (select 1 from "Schedule" s where s."key" = ${name} || ':' || a."id")
    on conflict do nothing`;
  const rows = await db.$queryRaw<{ accountId: string; isDue: boolean | null }[]>`
    update "Schedule" s
    set "dueAt" = ${next}::timestamptz, "everyMs" = ${everyMs}::int,
      "lastStartedAt" = case when s."dueAt" <= ${at}::timestamptz then ${at}::timestamptz else s."lastStartedAt" end,
      "runs" = s."runs" + (s."dueAt" <= ${at}::timestamptz)::int
    from "Account" a
    where s."job" = ${name} and s."accountId" = a."id" and a."sealedKeys" is not null
      and (a."deletedAt" is null or ${name} = ${jobs.orderStatus.name})
      and (s."dueAt" <= ${at}::timestamptz or s."dueAt" > ${beyond(at, everyMs)}::timestamptz)
    returning s."accountId", s."lastStartedAt" = ${at}::timestamptz as "isDue"`;
  return rows.filter(({ isDue }) => isDue === true).map(({ accountId }) => accountId);
}

/** No worker's clock puts a row beyond this. Counted from now: the next time of a daily row may be closer than its interval. */
const beyond = (at: Date, everyMs: number) => latestOf(everyMs, at);

interface MarketTurn {
  job: Job;
  market: MarketName;
  /** Market time, as are `next` and `everyMs`. */
  now: Date;
  next: Date;
  everyMs: number;
}

/** True when the market's row of the job was due. Intervals that passed meanwhile are one run, and are counted. */
export async function takeForMarket(
  { db, now: wallNow }: Context,
  { job, market, now, next, everyMs }: MarketTurn,
): Promise<boolean> {
  const key = scheduleKey(job.name, market);
  const row = await db.schedule.findUnique({ where: { key }, select: { dueAt: true } });
  if (!row) {
    await db.schedule.createMany({
      data: [{ key, job: job.name, market, dueAt: next, everyMs }],
      skipDuplicates: true,
    });
    return false;
  }
  const { dueAt } = row;
  if (dueAt > next) {
    await db.schedule.updateMany({ where: { key, dueAt }, data: { dueAt: next, everyMs } });
    return false;
  }
  if (dueAt > now) return false;
  const missed = missedIntervals(dueAt, now, everyMs);
  const coalesced = missed * everyMs < SESSION_MS ? missed : 0;
  const moved = await db.schedule.updateMany({
    where: { key, dueAt },
    data: {
      dueAt: next,
      everyMs,
      lastStartedAt: wallNow(),
      lastMarketAt: now,
      runs: { increment: 1 },
      coalesced: { increment: coalesced },
    },
  });
  return moved.count === 1;
}

/** True when the row's last run was woken and never ended: the queue lost it, or its worker died. */
export async function takeUnfinished({ db, now }: Context, key: string): Promise<boolean> {
  const at = now();
  const silentSince = new Date(at.getTime() - WAKE_AGAIN_MS);
  const moved = await db.$executeRaw`
    update "Schedule" set "lastStartedAt" = ${at}::timestamptz
    where "key" = ${key} and ("lastStartedAt" < ${silentSince}::timestamptz or "lastStartedAt" > ${latestOf(0, at)}::timestamptz)
      and ("lastFinishedAt" is null or "lastFinishedAt" < "lastStartedAt" or "lastFinishedAt" > ${latestOf(0, at)}::timestamptz)`;
  return moved === 1;
}

/** Records the end of a job: health is measured by jobs, not by a ping. */
export async function recordFinished({ db, now }: Context, key: string, lastError: string | null): Promise<void> {
  await db.schedule.updateMany({
    where: { key },
    data: { lastFinishedAt: now(), lastStatus: lastError === null ? "done" : "failed", lastError },
  });
}

/** The accounts with keys in a range whose run was woken and has not ended, by id. An end that a clock ahead wrote says nothing of it. */
export async function accountsWoken({ db, now }: Context, job: string, { from, to }: PageRange): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select a."id" from "Account" a join "Schedule" s on s."key" = ${job} || ':' || a."id"
    where a."id" between ${from}::uuid and ${to}::uuid and a."sealedKeys" is not null
      and (s."lastFinishedAt" is null or s."lastFinishedAt" < s."lastStartedAt" or s."lastFinishedAt" > ${latestOf(0, now())}::timestamptz)
    order by a."id"`;
  return rows.map(({ id }) => id);
}

/**
 * Records that the runs of these accounts ended well. A row that is being moved on is woken again in any case: it is not waited for, so
 * that two statements over many rows do not wait for each other.
 */
export async function recordDone({ db, now }: Context, job: string, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  const keys = accountIds.map((id) => scheduleKey(job, id));
  await db.$executeRaw`
    update "Schedule" set "lastFinishedAt" = ${now()}::timestamptz, "lastStatus" = 'done', "lastError" = null
    where "key" in (select "key" from "Schedule" where "key" = any(${keys}) for update skip locked)`;
}

/** The same of a run that was recorded when it began (`JobRun`), in one statement. */
export async function recordEnded({ db, now }: Context, key: string, lastError: string | null): Promise<void> {
  const at = now();
  const status = lastError === null ? "done" : "failed";
  await db.$executeRaw`
    with run as (
      update "JobRun" set "unfinished" = 0, "finishedAt" = ${at}::timestamptz, "lastError" = ${lastError}::text where "key" = ${key}
    )
    update "Schedule" set "lastFinishedAt" = ${at}::timestamptz, "lastStatus" = ${status}::"RunOutcome", "lastError" = ${lastError}::text
    where "key" = ${key}`;
}
