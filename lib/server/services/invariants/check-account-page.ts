import { jobs } from "@/lib/contracts/jobs.ts";
import { MARKETS } from "@/lib/domain/enums.ts";
import type { Context } from "../../context.ts";
import type { PageRange } from "../../jobs/pages.ts";
import { checkByPage } from "../schedule/check-by-page.ts";
import { agreeingWithBrokers, readRowBreachesOf } from "./read-breaches.ts";
import { storeWhole } from "./store-check.ts";

/**
 * The job: looks at the invariants of the accounts of a range of ids that were woken, and wakes a job for each in which something looks
 * broken or cannot be judged. A page halts and reports nothing by itself: that account's own turn looks again.
 */
export async function checkAccountPage(context: Context, range: PageRange): Promise<void> {
  const outcome = await checkByPage(context, range, {
    own: jobs.invariants,
    page: jobs.invariantsPage,
    look: checkInvariants,
    onUnread: (err) => context.log.warn("invariants-page.not-read", { err }),
  });
  context.log.debug("invariants-page.completed", outcome);
}

/** Answers which of these accounts are whole, and stores that they are. What one look finds whole is whole: only what looks broken is read again. */
async function checkInvariants(context: Context, accountIds: readonly string[]): Promise<string[]> {
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
