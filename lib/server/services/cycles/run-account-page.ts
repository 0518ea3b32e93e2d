import { isInShare } from "@/lib/domain/canary.ts";
import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { annotate } from "../../tracing.ts";
import { scheduleKey } from "../schedule/schedule-keys.ts";
import { decidePage } from "./decide-page.ts";
import { readTurns } from "./due-accounts.ts";
import { newestCycle } from "./newest-cycle.ts";

/**
 * Accounts of a page. One statement over so many costs each of them next to nothing; with more a page would take longer than the
 * decisions of those that order should wait, and the states and plans of one insert would pass two megabytes.
 */
export const PAGE = 50;

export interface AccountPage {
  cycleId: string;
  from: string;
  to: string;
  share?: number | undefined;
}

/**
 * The job: decides for the accounts of a range of ids that are due, and wakes a job for each that has something to send. Who is due is
 * asked now: a page that comes twice finds none, and one that waited decides on the newest look.
 */
export async function runAccountPage(context: Context, input: AccountPage): Promise<void> {
  const cycle = await newestCycle(context, input.cycleId);
  if (!cycle) return;
  const { id: cycleId, market, startedAt } = cycle;
  annotate({ market });
  const turns = await readTurns(context, { market, at: startedAt }, input);
  const { from, share } = input;
  const isOnSide = (id: string) => share === undefined || isInShare(id, share) === isInShare(from, share);
  const due = turns.flatMap(({ id, isDue }) => (isDue && isOnSide(id) ? [id] : []));
  const isSuspect = await diedBefore(context, input);
  let own = 0;
  for (const accountIds of pagesOf(due)) {
    const left = isSuspect ? accountIds : await decidePage(context, { cycle, accountIds });
    own += left.length;
    if (left.length === 0) continue;
    await context.queue.enqueue(
      jobs.accountCycle,
      left.map((accountId) => ({ cycleId, accountId })),
    );
  }
  context.log.info("account-page.completed", { cycleId, count: due.length - own, waiting: own });
}

/** The page's last run did not come to an end: one of its accounts may end workers. Alone, each is found and halted. */
async function diedBefore({ db }: Context, input: AccountPage): Promise<boolean> {
  const key = scheduleKey(jobs.accountPage.name, jobs.accountPage.scope(input));
  const run = await db.jobRun.findUnique({ where: { key }, select: { unfinished: true } });
  return (run?.unfinished ?? 0) > 1;
}

/** In pieces of a page. */
export const pagesOf = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / PAGE) }, (_, nth) => rows.slice(nth * PAGE, (nth + 1) * PAGE));
