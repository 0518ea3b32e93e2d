import { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { isOnSide, type PageRange, pagesOf } from "../../jobs/pages.ts";
import { lookAtBooks } from "../sync/look-at-books.ts";
import { diedBefore } from "../schedule/died-before.ts";
import { accountsWoken, recordDone } from "../schedule/take-due.ts";

/**
 * The job: looks at the books of the accounts of a range of ids that were woken, and wakes a job for each of which there is something
 * to book, to ask, to send or to read anew. A page that comes twice finds those that are left.
 */
export async function syncOrderPage(context: Context, range: PageRange): Promise<void> {
  const { name } = jobs.orderStatus;
  const woken = (await accountsWoken(context, name, range)).filter((id) => isOnSide(range, id));
  const isSuspect = await diedBefore(context, jobs.orderStatusPage.name, jobs.orderStatusPage.scope(range));
  let waiting = 0;
  for (const accountIds of pagesOf(woken)) {
    const quiet = new Set(isSuspect ? [] : await quietAmong(context, accountIds));
    await recordDone(context, name, [...quiet]);
    const left = accountIds.filter((id) => !quiet.has(id));
    waiting += left.length;
    if (left.length === 0) continue;
    await context.queue.enqueue(
      jobs.orderStatus,
      left.map((accountId) => ({ accountId })),
    );
  }
  context.log.debug("order-status-page.completed", { count: woken.length - waiting, waiting });
}

/** None where the page could not be looked at: each account's own turn meets the same, and says so. */
async function quietAmong(context: Context, accountIds: readonly string[]): Promise<string[]> {
  try {
    return await lookAtBooks(context, accountIds);
  } catch (error) {
    context.log.warn("order-status-page.not-read", { market: "any", err: error });
    return [];
  }
}
