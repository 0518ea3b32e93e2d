import type { jobs } from "@/lib/contracts/jobs.ts";
import type { Context } from "../../context.ts";
import { isOnSide, type PageRange, pagesOf } from "../../jobs/pages.ts";
import { diedBefore } from "./died-before.ts";
import { accountsWoken, recordDone } from "./take-due.ts";

interface PageCheck {
  /** The job of a single account, and that of a page of them. All such jobs have one type. */
  own: typeof jobs.orderStatus;
  page: typeof jobs.orderStatusPage;
  /** Answers the accounts that need no turn of their own. */
  look: (context: Context, accountIds: readonly string[]) => Promise<string[]>;
  /** A page could not be looked at: each account's own turn meets the same, and says so. */
  onUnread: (error: unknown) => void;
}

/**
 * Looks at the accounts of a range of ids that were woken for a job, a page at a time, and wakes that job for each that needs a turn of
 * its own: for all of them where an earlier run of the range died. A page that comes twice finds those that are left.
 */
export async function checkByPage(
  context: Context,
  range: PageRange,
  { own, page, look, onUnread }: PageCheck,
): Promise<{ count: number; waiting: number }> {
  const woken = (await accountsWoken(context, own.name, range)).filter((id) => isOnSide(range, id));
  const isSuspect = await diedBefore(context, page.name, page.scope(range));
  let waiting = 0;
  for (const accountIds of pagesOf(woken)) {
    const done = new Set(isSuspect ? [] : await lookedAt(accountIds));
    await recordDone(context, own.name, [...done]);
    const left = accountIds.filter((id) => !done.has(id));
    waiting += left.length;
    if (left.length === 0) continue;
    await context.queue.enqueue(
      own,
      left.map((accountId) => ({ accountId })),
    );
  }
  return { count: woken.length - waiting, waiting };

  async function lookedAt(accountIds: readonly string[]): Promise<string[]> {
    try {
      return await look(context, accountIds);
    } catch (error) {
      onUnread(error);
      return [];
    }
  }
}
