import { jobs } from "@/lib/contracts/jobs.ts";
import { MARKETS } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import { isOnSide, type PageRange, pagesOf } from "../../jobs/pages.ts";
import { diedBefore } from "../schedule/died-before.ts";
import { accountsWoken, recordDone } from "../schedule/take-due.ts";
import { agreeingWithBrokers, readRowBreachesOf } from "./read-breaches.ts";
import { storeWhole } from "./store-check.ts";

/**
 * The job: looks at the invariants of the accounts of a range of ids that were woken, and wakes a job for each in which something looks
 * broken or cannot be judged. A page halts and reports nothing by itself: that account's own turn looks again. A page that comes twice finds those that are left.
 */
export async function checkAccountPage(context: Context, range: PageRange): Promise<void> {
  const { name } = jobs.invariants;
  const woken = (await accountsWoken(context, name, range)).filter((id) => isOnSide(range, id));
  const isSuspect = await diedBefore(context, jobs.invariantsPage.name, jobs.invariantsPage.scope(range));
  let waiting = 0;
  for (const accountIds of pagesOf(woken)) {
    const whole = new Set(isSuspect ? [] : await wholeAmong(context, accountIds));
    await recordDone(context, name, [...whole]);
    const left = accountIds.filter((id) => !whole.has(id));
    waiting += left.length;
    if (left.length === 0) continue;
    await context.queue.enqueue(
      jobs.invariants,
      left.map((accountId) => ({ accountId })),
    );
  }
  context.log.debug("invariants-page.completed", { count: woken.length - waiting, waiting });
}

/** None where the page could not be looked at: each account's own turn looks, and says so where it meets the same. */
async function wholeAmong(context: Context, accountIds: readonly string[]): Promise<string[]> {
  try {
    return await lookAtInvariants(context, accountIds);
  } catch (error) {
    context.log.warn("invariants-page.not-read", { err: error });
    return [];
  }
}

/** Answers which of these accounts are whole, and stores that they are. What one look finds whole is whole: only what looks broken is read again. */
async function lookAtInvariants(context: Context, accountIds: readonly string[]): Promise<string[]> {
  const begunAt = context.now();
  const startedAt = performance.now();
  const [accounts, breaches] = await Promise.all([
    context.db.account.findMany({ where: { id: { in: [...accountIds] }, deletedAt: null, sealedKeys: { not: null } } }),
    readRowBreachesOf(context, accountIds),
  ]);
  const isBroken = new Set(breaches.map(({ accountId }) => accountId));
  // Before the first reading of the broker there is nothing to hold against it.
  const judged = accounts.filter(({ id, activityWatermark }) => !isBroken.has(id) && activityWatermark !== null);
  const agreeing = await Promise.all(
    MARKETS.map((market) =>
      agreeingWithBrokers(
        context,
        judged.filter((account) => account.market === market),
      ),
    ),
  );
  return storeWhole(context, agreeing.flat(), { begunAt, startedAt });
}
