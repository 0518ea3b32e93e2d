import { jobs } from "@/lib/contracts/jobs.ts";
import { MINUTE_MS } from "@/lib/domain/time.ts";
import type { Context } from "../../context.ts";
import { hasMarket } from "../../providers/market-data-registry.ts";
import { activePolicy } from "../policy/active-policy.ts";
import { marketMoment, type MarketMoment } from "../cycles/calendar.ts";
import { missedIntervals, nextMarketDue } from "./next-due.ts";
import { scheduleKey } from "./schedule-keys.ts";

/** Orders are followed this often in wall time, beside the stream: the broker's limit counts market minutes. */
const FOLLOW_EVERY_MS = 5_000;
const MAIL_EVERY_MS = 2_000;
/** A point of equity each quarter of an hour of market time, beside the closing points. */
const EQUITY_EVERY_MS = 15 * MINUTE_MS;
const DEFAULT_CHECK_MINUTES = 5;

export const MARKETS = ["PRACTICE", "US"] as const;

/**
 * One round of the schedule: whatever is due is moved to its next time by compare-and-set, so of many
 * workers one wakes it, and then handed to the queue. Postgres holds the truth; a flushed queue loses
 * nothing but one round.
 */
export async function runDueSchedules(context: Context): Promise<void> {
  const system = await context.db.systemState.findUniqueOrThrow({ where: { id: 1 } });
  if (!system.isQueueActive) return;
  const rows = new Map(
    (await context.db.schedule.findMany({ select: { key: true, dueAt: true } })).map((row) => [row.key, row.dueAt]),
  );
  await runWallSchedules(context, rows);
  for (const market of MARKETS) {
    if (!hasMarket(market)) continue;
    try {
      await runMarketSchedules(context, rows, market, await marketMoment(context, market));
    } catch (error) {
      context.log.warn({ market, err: error }, "the market's clock cannot be read: its work waits");
    }
  }
}

async function runWallSchedules(context: Context, rows: DueRows): Promise<void> {
  const now = context.now();
  if (
    await take(context, rows, scheduleKey("mail", "all"), "mail", {
      now,
      next: new Date(now.getTime() + MAIL_EVERY_MS),
      everyMs: MAIL_EVERY_MS,
    })
  ) {
    await context.queue.enqueue(jobs.mail, {}, { dedupeId: "mail" });
  }
  const accounts = await context.db.account.findMany({
    where: { deletedAt: null, sealedKeys: { not: null } },
    select: { id: true },
  });
  for (const { id } of accounts) {
    const next = new Date(now.getTime() + FOLLOW_EVERY_MS);
    if (
      await take(context, rows, scheduleKey("order-status", id), "order-status", {
        now,
        next,
        everyMs: FOLLOW_EVERY_MS,
        accountId: id,
      })
    ) {
      await context.queue.enqueue(jobs.orderStatus, { accountId: id }, { dedupeId: id });
    }
  }
}

async function runMarketSchedules(
  context: Context,
  rows: DueRows,
  market: "PRACTICE" | "US",
  moment: MarketMoment,
): Promise<void> {
  const now = new Date(moment.now);
  const policy = await activePolicy(context);
  const openDelayMs = policy.pretrade_filters.open_minutes * MINUTE_MS;
  const checkMs = (await shortestCheckMinutes(context, market)) * MINUTE_MS;

  const turns = [
    { job: jobs.screening, everyMs: checkMs, delayMs: openDelayMs },
    { job: jobs.equity, everyMs: EQUITY_EVERY_MS, delayMs: MINUTE_MS },
  ];
  for (const { job, everyMs, delayMs } of turns) {
    const next = nextMarketDue(moment.now, everyMs, delayMs, moment.calendar);
    if (next && (await take(context, rows, scheduleKey(job.name, market), job.name, { now, next, everyMs, market })))
      await context.queue.enqueue(job, { market }, { dedupeId: market });
  }
}

async function shortestCheckMinutes({ db }: Context, market: "PRACTICE" | "US"): Promise<number> {
  const shortest = await db.tradingPreferences.aggregate({
    where: { user: { accounts: { some: { market, deletedAt: null, status: "ACTIVE" } } } },
    _min: { checkInterval: true },
  });
  return shortest._min.checkInterval ?? DEFAULT_CHECK_MINUTES;
}

/** When each row was due at the start of the round. */
type DueRows = ReadonlyMap<string, Date>;

interface Turn {
  now: Date;
  next: Date;
  everyMs: number;
  market?: "PRACTICE" | "US";
  accountId?: string;
}

/** True when this call moved the row on: the work is this caller's to wake. Rows are made where they are missing. */
async function take(
  { db, now: wallNow }: Context,
  rows: DueRows,
  key: string,
  job: string,
  turn: Turn,
): Promise<boolean> {
  const dueAt = rows.get(key);
  if (!dueAt) {
    await db.schedule.createMany({
      data: [
        {
          key,
          job,
          dueAt: turn.next,
          everyMs: turn.everyMs,
          market: turn.market ?? null,
          accountId: turn.accountId ?? null,
        },
      ],
      skipDuplicates: true,
    });
    return false;
  }
  if (dueAt > turn.next) {
    // The row waits for a time that the clock will not reach in turn (another market, another cadence).
    await db.schedule.updateMany({ where: { key, dueAt }, data: { dueAt: turn.next, everyMs: turn.everyMs } });
    return false;
  }
  if (dueAt > turn.now) return false;
  const missed = missedIntervals(dueAt, turn.now, turn.everyMs);
  const moved = await db.schedule.updateMany({
    where: { key, dueAt },
    data: {
      dueAt: turn.next,
      everyMs: turn.everyMs,
      lastStartedAt: wallNow(),
      runs: { increment: 1 },
      // A night is no missed pass: only intervals inside a session count.
      ...(turn.market && missed > 0 && missed * turn.everyMs < 6 * 60 * MINUTE_MS
        ? { coalesced: { increment: missed } }
        : {}),
      ...(turn.market ? { lastMarketAt: turn.now } : {}),
    },
  });
  return moved.count === 1;
}

/** Written by the jobs when their work is done: health is measured by work, not by a ping. */
export async function noteFinished({ db, now }: Context, key: string, error?: unknown): Promise<void> {
  await db.schedule.updateMany({
    where: { key },
    data: {
      lastFinishedAt: now(),
      lastStatus: error ? "failed" : "done",
      lastError: error ? (error instanceof Error ? error.message : String(error)).slice(0, 500) : null,
    },
  });
}
