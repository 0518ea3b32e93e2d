import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { isOnSide, type PageRange, pagesOf } from "../../jobs/pages.ts";
import { annotate } from "../../tracing.ts";
import { diedBefore } from "../schedule/died-before.ts";
import { decidePage } from "./decide-page.ts";
import { readTurns } from "./due-accounts.ts";
import { newestCycle } from "./newest-cycle.ts";

export interface AccountPage extends PageRange {
  cycleId: string;
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
  const due = turns.flatMap(({ id, isDue }) => (isDue && isOnSide(input, id) ? [id] : []));
  const isSuspect = await diedBefore(context, jobs.accountPage.name, jobs.accountPage.scope(input));
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
